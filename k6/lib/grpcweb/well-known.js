// Messages that the client knows without loading anything: statuses, their details, health checks,
// reflection.

import { common, parse, Root } from '../vendor/protobuf.js';

const STATUS = `
syntax = "proto3";
package google.rpc;
message Status { int32 code = 1; string message = 2; repeated google.protobuf.Any details = 3; }
`;

const DETAILS = `
syntax = "proto3";
package google.rpc;
message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
message RetryInfo { google.protobuf.Duration retry_delay = 1; }
message DebugInfo { repeated string stack_entries = 1; string detail = 2; }
message QuotaFailure {
  message Violation {
    string subject = 1; string description = 2; string api_service = 3; string quota_metric = 4;
    string quota_id = 5; map<string, string> quota_dimensions = 6; int64 quota_value = 7;
    optional int64 future_quota_value = 8;
  }
  repeated Violation violations = 1;
}
message PreconditionFailure {
  message Violation { string type = 1; string subject = 2; string description = 3; }
  repeated Violation violations = 1;
}
message BadRequest {
  message FieldViolation {
    string field = 1; string description = 2; string reason = 3; LocalizedMessage localized_message = 4;
  }
  repeated FieldViolation field_violations = 1;
}
message RequestInfo { string request_id = 1; string serving_data = 2; }
message ResourceInfo {
  string resource_type = 1; string resource_name = 2; string owner = 3; string description = 4;
}
message Help { message Link { string description = 1; string url = 2; } repeated Link links = 1; }
message LocalizedMessage { string locale = 1; string message = 2; }
`;

// The status is an enum; its number is all that a script gets.
const HEALTH = `
syntax = "proto3";
package grpc.health.v1;
message HealthCheckRequest { string service = 1; }
message HealthCheckResponse { int32 status = 1; }
`;

const REFLECTION = `
syntax = "proto3";
package grpc.reflection.v1;
message ServerReflectionRequest {
  oneof message_request {
    string file_by_filename = 3; string file_containing_symbol = 4; string list_services = 7;
  }
}
message ServerReflectionResponse {
  oneof message_response {
    FileDescriptorResponse file_descriptor_response = 4;
    ListServiceResponse list_services_response = 6;
    ErrorResponse error_response = 7;
  }
}
message FileDescriptorResponse { repeated bytes file_descriptor_proto = 1; }
message ListServiceResponse { repeated ServiceResponse service = 1; }
message ServiceResponse { string name = 1; }
message ErrorResponse { int32 error_code = 1; string error_message = 2; }
`;

/** Google's own files, which need not be loaded: `google/protobuf/any.proto` and so on. */
export const GOOGLE_FILES = new Set(Object.keys(common).filter((name) => name.startsWith('google/')));

/** @type {Root | undefined} */
let known;

/** @returns {Root} */
export function wellKnown() {
  if (!known) {
    known = new Root();
    for (const file of GOOGLE_FILES) addGoogleFile(known, file);
    parse.filename = null;
    for (const text of [STATUS, DETAILS, HEALTH, REFLECTION]) parse(text, known);
    known.resolveAll();
  }
  return known;
}

/**
 * Adds what one of Google's files has and the root lacks: some of these files repeat others.
 * @param {Root} root
 * @param {string} file one of GOOGLE_FILES
 */
export function addGoogleFile(root, file) {
  const namespace = root.define('google.protobuf');
  const types = common[file].nested.google.nested.protobuf.nested;
  for (const [name, type] of Object.entries(types)) {
    if (!namespace.get(name)) namespace.addJSON({ [name]: /** @type {any} */ (type) });
  }
}
