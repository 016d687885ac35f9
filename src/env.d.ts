declare namespace App {
  /** What our own entry gives to every page and endpoint. */
  interface Locals {
    ctx: import('#server/context.ts').AppContext;
    requestId: import('#server/http/front.ts').Visitor['requestId'];
    client: import('#server/http/front.ts').Visitor['client'];
    peer: import('#server/http/front.ts').Visitor['peer'];
    apiKey: import('#server/http/front.ts').Visitor['apiKey'];
    upload: import('#server/http/front.ts').Visitor['upload'];
    refusedBody: import('#server/http/front.ts').Visitor['refusedBody'];
  }
}
