import type { Log } from '#core/contract/log.ts';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { LOG_KEY_PAYLOAD_TYPE, type LogKeyStatement } from '#core/schema/log-payload.ts';

/** The key of a running board's log, as the log itself publishes it. */
export async function publishedLogKey(url: string): Promise<string> {
  for (let since: number | undefined = 0; since !== undefined;) {
    const response = await fetch(`${url}/api/v1/log?since=${since}&limit=100`);
    const { entries } = (await response.json()) as Log;
    const entry = entries.find(({ kind }) => kind === 'log-key');
    since = entries.at(-1)?.log_index;
    if (!entry) continue;
    const { payload } = takeApart(JSON.parse(entry.payload ?? ''), LOG_KEY_PAYLOAD_TYPE);
    return (JSON.parse(Buffer.from(payload).toString()) as LogKeyStatement).vkey;
  }
  throw new Error('The log has no entry of the kind log-key');
}
