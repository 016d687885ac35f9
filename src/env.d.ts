declare namespace App {
  /** What our own entry gives to every page and endpoint. */
  interface Locals {
    ctx: import('#server/context.ts').AppContext;
    requestId: import('./server/http/http-layer.ts').Visitor['requestId'];
    client: import('./server/http/http-layer.ts').Visitor['client'];
    peer: import('./server/http/http-layer.ts').Visitor['peer'];
    apiKey: import('./server/http/http-layer.ts').Visitor['apiKey'];
    upload: import('./server/http/http-layer.ts').Visitor['upload'];
    refusedBody: import('./server/http/http-layer.ts').Visitor['refusedBody'];
  }
}
