// Globals of k6 that @types/k6 does not declare.

declare const console: Record<'debug' | 'error' | 'info' | 'log' | 'warn', (...values: unknown[]) => void>;

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: ArrayBuffer | ArrayBufferView): string;
}

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

interface ImportMeta {
  resolve(specifier: string): string;
}
