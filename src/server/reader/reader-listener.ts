import type { IncomingMessage } from 'node:http';
import { answererOf } from '#core/contract/route-table.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { refusing } from '../http/http-layer.ts';
import { badgeAddress, readAddress } from '../http/request/address.ts';
import type { Listener } from '../http/server.ts';
import type { Current } from '../object-store/current.ts';
import { isFromReader } from './forwarded-headers.ts';
import type { WriterProxy } from './writer-proxy.ts';

interface ReaderListenerOptions {
  /** The newest `current`; null before the first one. */
  current: () => Current | null;
  isConfirmed: () => boolean;
  /** Answers from the published board; null while nothing is shown. */
  shown: () => Listener | null;
  /** Null without WRITER_URL. */
  writer: WriterProxy | null;
  /** The address in errors before the public one is known. */
  ownUrl: string;
}

const STARTING = unavailable('The board is starting');
const UNCONFIRMED = unavailable(
  'This machine cannot reach the object store of the board, so what it has may be out of date. It answers again by itself',
);
const UPDATING = unavailable('The board is being updated');
const NO_WRITER = unavailable(
  'This machine only shows published pages. It does not know the machine that accepts changes',
);
const LOOP = new DomainError(
  'loop_detected',
  'The machines that show this board pass this request on to each other. Published pages still work',
);

/** Answers a request, or has the writer answer it. */
export function createReaderListener(options: ReaderListenerOptions): Listener {
  const { current, isConfirmed, shown } = options;
  const toWriter = writerListener(options);
  const refuse = refusalsOf(options);
  return (request, response, requestId) => {
    const now = current();
    if (!now) return refuse(STARTING)(request, response, requestId);
    if (now.access === 'members' || isForWriter(request, now.base_url)) {
      return toWriter(request, response, requestId);
    }
    if (!isConfirmed()) return refuse(UNCONFIRMED)(request, response, requestId);
    const listener = shown() ?? refuse(UPDATING);
    listener(request, response, requestId);
  };
}

/** Has the writer answer a request. */
export function writerListener(options: ReaderListenerOptions): Listener {
  const { writer } = options;
  const refuse = refusalsOf(options);
  return (request, response, requestId) => {
    if (isFromReader(request)) return refuse(LOOP)(request, response, requestId);
    if (!writer) return refuse(NO_WRITER)(request, response, requestId);
    const { host } = new URL(addressOf(options));
    const refused = (error: DomainError) => refuse(error)(request, response, requestId);
    writer.forward({ request, response, host, refuse: refused });
  };
}

function addressOf({ current, ownUrl }: ReaderListenerOptions): string {
  return current()?.base_url ?? ownUrl;
}

/** Creates listeners that answer all requests with an error. The public address can change while it runs. */
function refusalsOf(options: ReaderListenerOptions): (error: DomainError) => Listener {
  let made: { address: string; refuse: ReturnType<typeof refusing> } | null = null;
  return (error) => {
    const address = addressOf(options);
    if (made?.address !== address) made = { address, refuse: refusing(address) };
    return made.refuse(error);
  };
}

function unavailable(detail: string): DomainError {
  return new DomainError('service_unavailable', detail);
}

/** Headers that can change what a public address answers, or how requests are counted. A reader knows no accounts. */
const CREDENTIALS = ['authorization', 'x-api-key'];

/** Whether only the writer has the answer. Unknown addresses are not found anywhere. */
export function isForWriter({ url = '/', headers }: IncomingMessage, baseUrl: string): boolean {
  const address = readAddress(url, baseUrl);
  if (!address) return false;
  const { path } = badgeAddress(address);
  const route = ROUTE_TABLE.find(ROUTE_TABLE.pageOfMarkdown(path) ?? path);
  if (!route) return false;
  return answererOf(route) === 'writer' || CREDENTIALS.some((name) => headers[name] !== undefined);
}
