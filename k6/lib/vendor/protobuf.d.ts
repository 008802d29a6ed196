// What lib/vendor/protobuf.js exports, for the type check. Written by hand; see k6/bundle/protobuf.js.

export { Root, Type, Enum, MapField, Service, util } from 'protobufjs';
export { Gunzip, gzipSync } from 'fflate';

import { IParseOptions, IParserResult, Root, Type } from 'protobufjs';

/** Reads the text of a .proto file into a root. */
export const parse: {
  (source: string, root: Root, options?: IParseOptions): IParserResult;
  /** The name of the file that is read next. */
  filename: string | null;
};

/** Google's well-known files by path, such as `google/protobuf/any.proto`. */
export const common: Record<string, { nested: Record<string, any> }>;

/** Protobuf's JSON mapping. */
export const protojson: {
  fromJson(type: Type, json: any): any;
  toJson(type: Type, message: any): any;
};
