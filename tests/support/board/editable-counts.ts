/** Lets a test change the view `buckets`, which contains the daily counts by name. */
import type Database from 'better-sqlite3';
import { usageBlocksIn } from '#db/usage-blocks.ts';

const COUNTS = [
  'device_id',
  'input',
  'output',
  'cache_write',
  'cache_read',
  'log_index',
  'counts',
  'stated_input',
  'stated_output',
  'stated_cache_write',
  'stated_cache_read',
  'fingerprint',
];

const sourceOf = (row: 'OLD' | 'NEW') => `(SELECT source FROM sources s
  WHERE s.operator_id = ${row}.operator_id
    AND (s.tool, s.provider, s.model) = (${row}.tool, ${row}.provider, ${row}.model))`;
const ON_OLD = `operator_id = OLD.operator_id AND day = OLD.day_number
  AND device_id = OLD.device_id AND source = ${sourceOf('OLD')}`;

const TRIGGERS = `
  CREATE TEMP TRIGGER bucket_updated INSTEAD OF UPDATE ON main.buckets BEGIN
    UPDATE daily_counts SET ${COUNTS.map((name) => `${name} = NEW.${name}`).join(', ')} WHERE ${ON_OLD};
  END;
  CREATE TEMP TRIGGER bucket_deleted INSTEAD OF DELETE ON main.buckets BEGIN
    DELETE FROM daily_counts WHERE ${ON_OLD};
  END;
  CREATE TEMP TRIGGER bucket_inserted INSTEAD OF INSERT ON main.buckets BEGIN
    INSERT INTO sources (operator_id, source, tool, provider, model)
    SELECT NEW.operator_id, count(*), NEW.tool, NEW.provider, NEW.model FROM sources
    WHERE operator_id = NEW.operator_id HAVING ${sourceOf('NEW')} IS NULL;
    INSERT INTO daily_counts (operator_id, day, source, ${COUNTS.join(', ')})
    VALUES (NEW.operator_id, unixepoch(NEW.day) / 86400, ${sourceOf('NEW')},
      ${COUNTS.map((name) => `NEW.${name}`).join(', ')});
  END;`;

/** Runs statements that may change `buckets`. Databases of earlier versions have a table of this name. */
export function editCounts(db: Database.Database, sql: string): void {
  const isView = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = 'buckets'`);
  if (!/\b(?:UPDATE|FROM|INTO) buckets\b/.test(sql) || !isView.get()) return void db.exec(sql);
  db.exec(TRIGGERS);
  db.exec(sql);
  db.exec('DROP TRIGGER bucket_updated; DROP TRIGGER bucket_deleted; DROP TRIGGER bucket_inserted');
}

/** Packs daily counts again after a change. */
export function packCounts(db: Database.Database, sql: string): void {
  if (!/buckets/.test(sql)) return;
  const blocks = usageBlocksIn(db);
  const operators = db.prepare('SELECT DISTINCT operator_id FROM daily_counts').pluck().all();
  for (const operator_id of operators as number[]) blocks.refreshAll(operator_id);
}
