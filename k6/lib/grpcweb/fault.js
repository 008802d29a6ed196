// A fault that ends a call: what is wrong, and the status that the gRPC documents assign to it.

export class Fault extends Error {
  /**
   * @param {number} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}
