// Message types: from .proto files and from protosets.

import { parse, protojson, Root, Service, Type } from '../vendor/protobuf.js';
import { bytesOf } from './bytes.js';
import { Fault } from './fault.js';
import { anyMembers, toJson, toObject } from './json.js';
import { StatusInternal } from './status.js';
import { addGoogleFile, GOOGLE_FILES, wellKnown } from './well-known.js';
import { encodeBase64 } from './base64.js';

/**
 * @typedef {object} Method
 * @property {string} path `/package.Service/Method`
 * @property {string} service its full name
 * @property {string} name
 * @property {Type} request
 * @property {Type} response
 */

/** @typedef {{ package: string, service: string, full_method: string }} MethodInfo */
/** @typedef {import('./status.js').Status} Status */
/** @typedef {{ code: number, message: string, details: any[] }} GrpcError google.rpc.Status in JSON */

// Members that begin with an underscore are private. k6's engine has #names for that, and fell over
// them here; xk6-grpcweb/internal/stock runs the client on that engine.
export class Schema {
  constructor() {
    /** Compiled from .proto files. */
    this._texts = new Root();
    /** Names of files that _texts holds. @type {Set<string>} */
    this._files = new Set();
    /** One for each protoset. @type {Root[]} */
    this._sets = [];
    /** @type {Map<string, Method>} */
    this._methods = new Map();

    /**
     * Finds a loaded message type, or one that the client knows, by its full name.
     * @type {import('./json.js').FindType}
     */
    this.find = (name) => {
      for (const root of [this._texts, ...this._sets, wellKnown()]) {
        const found = root.lookup(`.${name}`, [Type]);
        if (found instanceof Type && found.fullName === `.${name}`) return found;
      }
      return undefined;
    };
  }

  /**
   * @param {string[] | null | undefined} importPaths
   * @param {string[]} files
   * @returns {MethodInfo[]}
   */
  load(importPaths, files) {
    const folders = importPaths?.length ? importPaths : ['.'];
    /** @type {Set<string>} */
    const added = new Set();
    for (const file of files) this._addFile(folders, file, added);
    try {
      this._texts.resolveAll();
    } catch (error) {
      throw new Error(`cannot compile ${files.join(', ')}: ${messageOf(error)}`);
    }
    return this._addMethods(this._texts, (service) => added.has(service.filename ?? ''));
  }

  /**
   * @param {string[]} folders
   * @param {string} file
   * @param {Set<string>} added
   */
  _addFile(folders, file, added) {
    if (this._files.has(file)) return;
    this._files.add(file);
    added.add(file);
    if (GOOGLE_FILES.has(file)) {
      addGoogleFile(this._texts, file);
      return;
    }
    const text = readFirst(folders, file);
    let parsed;
    try {
      parse.filename = file;
      parsed = parse(text, this._texts);
    } catch (error) {
      throw new Error(`cannot compile ${file}: ${messageOf(error)}`);
    }
    for (const imported of [...(parsed.imports ?? []), ...(parsed.weakImports ?? [])]) {
      this._addFile(folders, imported, added);
    }
  }

  /**
   * @param {string | ArrayBuffer | Uint8Array} source a path, or the bytes themselves
   * @returns {MethodInfo[]}
   */
  loadProtoset(source) {
    let bytes = bytesOf(source);
    if (!bytes) {
      try {
        bytes = new Uint8Array(open(String(source), 'b'));
      } catch (error) {
        throw new Error(`couldn't open protoset: ${messageOf(error)}`);
      }
    }
    let root;
    try {
      root = fromDescriptor(bytes);
    } catch (error) {
      throw new Error(`couldn't unmarshal protoset file ${label(source)}: ${messageOf(error)}`);
    }
    this._sets.push(root);
    return this._addMethods(root, () => true);
  }

  /**
   * @param {Root} root
   * @param {(service: Service) => boolean} wanted
   * @returns {MethodInfo[]}
   */
  _addMethods(root, wanted) {
    /** @type {MethodInfo[]} */
    const infos = [];
    for (const service of servicesIn(root)) {
      if (!wanted(service)) continue;
      const fullName = service.fullName.slice(1);
      for (const method of service.methodsArray) {
        method.resolve();
        const path = `/${fullName}/${method.name}`;
        if (!method.resolvedRequestType || !method.resolvedResponseType) {
          throw new Error(`the message types of ${path} are not in the loaded files`);
        }
        infos.push({
          package: fullName.slice(0, Math.max(fullName.length - service.name.length - 1, 0)),
          service: service.name,
          full_method: path,
        });
        if (method.requestStream) continue;
        this._methods.set(path, {
          path,
          service: fullName,
          name: method.name,
          request: method.resolvedRequestType,
          response: method.resolvedResponseType,
        });
      }
    }
    return infos;
  }

  /**
   * A method that gRPC-Web can carry.
   * @param {unknown} name with or without a leading slash
   * @returns {Method}
   */
  method(name) {
    if (typeof name !== 'string' || name === '') throw new Error('method to invoke cannot be empty');
    const path = name.startsWith('/') ? name : `/${name}`;
    const method = this._methods.get(path);
    if (method) return method;
    if (this._streamsRequests(path)) {
      throw new Error(
        `method ${JSON.stringify(path)} streams its requests, which gRPC-Web cannot carry; use k6/net/grpc`,
      );
    }
    throw new Error(`method ${JSON.stringify(path)} not found in file descriptors`);
  }

  /** @param {string} path */
  _streamsRequests(path) {
    const [, service, name] = path.split('/');
    return [this._texts, ...this._sets].some((root) => {
      const found = service ? root.lookup(service) : null;
      return found instanceof Service && found.methodsArray.some((method) => method.name === name);
    });
  }

  /**
   * @param {Method} method
   * @param {unknown} request
   * @returns {Uint8Array}
   */
  encode(method, request) {
    const bytes = bytesOf(request);
    if (bytes) return bytes;
    let json;
    try {
      json = toJson(request);
    } catch (error) {
      throw new Error(`unable to serialise request object: ${messageOf(error)}`);
    }
    try {
      return method.request.encode(protojson.fromJson(method.request, json)).finish();
    } catch (error) {
      throw new Error(`unable to serialise request object to protocol buffer: ${messageOf(error)}`);
    }
  }

  /**
   * @param {Method} method
   * @param {Uint8Array} bytes
   * @returns {any} the message in protobuf's JSON mapping
   */
  decode(method, bytes) {
    let message;
    try {
      message = method.response.decode(bytes);
    } catch (error) {
      throw new Fault(StatusInternal, `the message is no ${method.response.fullName.slice(1)}: ${messageOf(error)}`);
    }
    try {
      return toObject(method.response, message, this.find);
    } catch (error) {
      throw new Error(`unable to convert response object to JSON: ${messageOf(error)}`);
    }
  }

  /**
   * @param {Status} status
   * @returns {GrpcError}
   */
  errorOf({ code, message, details }) {
    return { code, message, details: details ? this._details(details) : [] };
  }

  /**
   * Code and message are worth more than a complaint about details that are damaged.
   * @param {Uint8Array} bytes of a google.rpc.Status
   */
  _details(bytes) {
    let status;
    try {
      status = /** @type {any} */ (wellKnown().lookupType('google.rpc.Status').decode(bytes));
    } catch {
      return [];
    }
    return status.details.map((/** @type {any} */ any) => {
      const url = any.type_url ?? any.typeUrl;
      const type = this.find(url.slice(url.lastIndexOf('/') + 1));
      try {
        if (type) return anyMembers(url, type, any.value, this.find);
      } catch {
        // Its bytes are given instead.
      }
      return { '@type': url, value: encodeBase64(any.value) };
    });
  }

}

/**
 * @param {string[]} folders
 * @param {string} file
 * @returns {string}
 */
function readFirst(folders, file) {
  const problems = [];
  for (const folder of folders) {
    try {
      return open(folder === '.' ? file : `${folder.replace(/\/+$/, '')}/${file}`);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  throw new Error(`cannot open ${file} in ${folders.join(', ')}: ${problems.join('; ')}`);
}

/**
 * @param {Uint8Array} bytes
 * @returns {Root}
 */
function fromDescriptor(bytes) {
  // The extension that adds this function has no types of its own here.
  const { fromDescriptor } = /** @type {any} */ (Root);
  return fromDescriptor(bytes);
}

/**
 * @param {import('protobufjs').NamespaceBase} namespace
 * @returns {Service[]}
 */
function servicesIn(namespace) {
  return namespace.nestedArray.flatMap((nested) => {
    if (nested instanceof Service) return [nested];
    return 'nestedArray' in nested
      ? servicesIn(/** @type {import('protobufjs').NamespaceBase} */ (nested))
      : [];
  });
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** @param {unknown} source */
function label(source) {
  return typeof source === 'string' ? JSON.stringify(source) : 'of the given bytes';
}
