// The few types of Node that hawser-tls names, for a tsc without @types/node.

declare class URL { constructor(url: string); readonly href: string; }
interface AbortSignal { readonly aborted: boolean; }

declare module 'node:events' {
  export class EventEmitter { on(name: string, listener: (...values: any[]) => void): this; }
}
declare module 'node:stream' {
  import { EventEmitter } from 'node:events';
  export class Duplex extends EventEmitter { write(data: string | Uint8Array): boolean; destroy(): this; }
}
declare module 'node:net' {
  import { Duplex } from 'node:stream';
  export class Socket extends Duplex { connecting: boolean; }
}
declare module 'node:tls' {
  import { Socket } from 'node:net';
  export class TLSSocket extends Socket { authorized: boolean; }
  export interface ConnectionOptions {
    ALPNProtocols?: string[]; ca?: unknown; cert?: string | Uint8Array; ciphers?: string; ecdhCurve?: string;
    enableTrace?: boolean; key?: string | Uint8Array; lookup?: (...values: any[]) => void; maxVersion?: string;
    minDHSize?: number; minVersion?: string; passphrase?: string; pfx?: Uint8Array; privateKeyEngine?: string;
    privateKeyIdentifier?: string; rejectUnauthorized?: boolean; secureOptions?: number; sigalgs?: string;
  }
}
declare module 'node:https' {
  import { EventEmitter } from 'node:events';
  export interface AgentOptions { keepAlive?: boolean; maxSockets?: number; timeout?: number; rejectUnauthorized?: boolean; ca?: unknown; checkServerIdentity?: unknown; }
  export class Agent extends EventEmitter { constructor(options?: AgentOptions); destroy(): void; }
}
