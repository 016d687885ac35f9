import type { IngestResult, IngestText } from '#core/contract/ingest.ts';
import { INGEST_LIMIT_BYTES } from '#core/contract/limits.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { readPasted } from '#core/readers/pasted.ts';
import type { AppContext } from '../context.ts';

/** The records that pasted usage would give. Nothing of it is kept. */
export function parseUsage(ctx: Pick<AppContext, 'now'>, { text }: IngestText): IngestResult {
  if (Buffer.byteLength(text) > INGEST_LIMIT_BYTES) {
    throw new DomainError('payload_too_large', `The text passes ${INGEST_LIMIT_BYTES} bytes`);
  }
  const { formats, buckets, warnings } = readPasted(text, utcDay(ctx.now().getTime()));
  return { formats, records: buckets.map(composeRecord), warnings };
}
