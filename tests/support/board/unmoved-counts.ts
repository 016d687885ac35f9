/** A board as an upgrade leaves it: its daily counts, or some of them, are still in the table of earlier versions. */
import type Database from 'better-sqlite3';
import { sourcesIn } from '#db/sources.ts';
import { usageBlocksIn } from '#db/usage-blocks.ts';

const COUNTS = `c.input, c.output, c.cache_write, c.cache_read, c.log_index, c.counts, c.stated_input,
  c.stated_output, c.stated_cache_write, c.stated_cache_read, c.fingerprint`;

/** @param which A condition on the daily counts to put back, such as `c.day % 2`. */
export function unmoveCounts(db: Database.Database, which = '1'): void {
  db.transaction(() => {
    const operators = db.prepare('SELECT DISTINCT operator_id FROM daily_counts').pluck().all();
    db.exec(`
      INSERT INTO unmoved_buckets (operator_id, day, tool, device_id, provider, model,
        ${COUNTS.replaceAll('c.', '')})
      SELECT c.operator_id, date(c.day * 86400, 'unixepoch'), s.tool, c.device_id, s.provider,
        s.model, ${COUNTS}
      FROM daily_counts c JOIN sources s USING (operator_id, source) WHERE ${which};
      DELETE FROM daily_counts AS c WHERE ${which};
      DELETE FROM usage_blocks;`);
    for (const operator_id of operators as number[]) {
      sourcesIn(db).removeUnused(operator_id);
      usageBlocksIn(db).refreshAll(operator_id);
    }
  })();
}
