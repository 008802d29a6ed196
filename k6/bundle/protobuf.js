// What the gRPC-Web client takes from others. esbuild bundles it into lib/vendor/protobuf.js.

import 'protobufjs/ext/descriptor.js';

import protojson from 'protobufjs/ext/protojson.js';
import descriptorFile from 'protobufjs/google/protobuf/descriptor.json';
import sourceContextFile from 'protobufjs/google/protobuf/source_context.json';
import typeFile from 'protobufjs/google/protobuf/type.json';
import apiFile from 'protobufjs/google/protobuf/api.json';
import light from 'protobufjs/light.js';
import common from 'protobufjs/src/common.js';
import parse from 'protobufjs/src/parse.js';

// k6 has no Buffer. Node has one, and tests there should go the same way as k6.
light.util.Buffer = null;
light.Reader.create = (bytes) => new light.Reader(bytes);
light.Writer.create = () => new light.Writer();

export const { Root, Type, Enum, MapField, Service, util } = light;
export { common, parse, protojson };
export { Gunzip, gzipSync } from 'fflate';

// Google's own files that the parser knows but does not bring.
const files = {
  api: apiFile,
  descriptor: descriptorFile,
  source_context: sourceContextFile,
  type: typeFile,
};
for (const [name, file] of Object.entries(files)) {
  common(name, file.nested.google.nested.protobuf.nested);
}
