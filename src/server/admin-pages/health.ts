/** The health of the board, from the checks of `doctor` that take only milliseconds, and the settings. */
import { statSync } from 'node:fs';
import {
  BOARD_CHOICES,
  BOARD_SETTINGS,
  type BoardSettingName,
} from '#core/domain/board/board-setting.ts';
import { VERSION } from '#core/cli/version.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import { type DoctorCheck, checksOf, reasonOf } from '../admin/doctor/check.ts';
import { configurationDoubts } from '../admin/doctor/configuration.ts';
import { backupChecks, diskChecks } from '../admin/doctor/disk.ts';
import { publicationChecks } from '../admin/doctor/server.ts';
import { witnessChecks } from '../admin/doctor/witnesses.ts';
import { SETTING_NAMES, databasePath } from '../config/config.ts';
import { buildOf } from '../config/installation.ts';
import type { AppContext } from '../context.ts';

export function readHealth(ctx: AppContext) {
  const { store, config } = ctx;
  const publication = ctx.publications.current();
  const head = store.log.head();
  const { kind, commit } = buildOf(config.root);
  return {
    version: VERSION,
    build: commit === null ? kind : `${kind}, commit ${commit.slice(0, 12)}`,
    node: process.versions.node,
    upSince: new Date(ctx.now().getTime() - process.uptime() * 1000).toISOString(),
    updatedAt: publication?.generated_at ?? null,
    logHead: head ? { index: head.index, hash: head.entry_hash } : null,
    memory: sizeText(process.memoryUsage.rss()),
    database: sizeText(databaseBytes(config)),
    checks: checksNow(ctx, publication?.generated_at ?? null),
  };
}

function databaseBytes(config: AppContext['config']): number {
  const sizes = ['', '-wal'].map((end) => {
    return statSync(databasePath(config) + end, { throwIfNoEntry: false })?.size ?? 0;
  });
  return sizes.reduce((sum, size) => sum + size);
}

function checksNow({ store, config }: AppContext, publishedAt: string | null): DoctorCheck[] {
  const backedUpAt = store.auditLog.lastTime('backup') ?? null;
  return [
    ...publicationChecks(config, publishedAt, true),
    ...attempt('disk', () => diskChecks(config)),
    ...attempt('backup', () => backupChecks(config, backedUpAt)),
    ...attempt('witness', () => witnessChecks(config)),
    ...configurationDoubts(config),
  ];
}

/** A check that fails is a result, too. */
function attempt(about: string, look: () => DoctorCheck[]): DoctorCheck[] {
  try {
    return look();
  } catch (error) {
    return [checksOf(about).problem(`the check failed: ${reasonOf(error)}`)];
  }
}

interface ShownSetting {
  name: string;
  /** Null for a secret that is set. */
  value: string | null;
  source: string;
}

/** Every setting that differs from its default, with its source. Secrets have no value. */
export function readSettings({ config, boardSettings }: AppContext): ShownSetting[] {
  const chosen = BOARD_SETTINGS.filter(hasEffect).map((name) => {
    const { value, source } = boardSettings.get(name);
    return { name, value, source: SOURCE_WORDS[source] };
  });
  const given = SETTING_NAMES.filter((name) => name in config.given).map((name) => {
    return { name, value: config.given[name] ?? null, source: SOURCE_WORDS.environment };
  });
  const { embed } = config.site;
  const framed = { name: 'embed', value: embed.join(', '), source: SOURCE_WORDS['board.toml'] };
  return [...chosen, ...(embed.length > 0 ? [framed] : []), ...given];
}

/** A choice with one option has no effect. */
function hasEffect(name: BoardSettingName): boolean {
  return name === 'name' || name === 'description' || BOARD_CHOICES[name].options.length > 1;
}

const SOURCE_WORDS = {
  environment: 'environment or settings file',
  'board.toml': 'board.toml',
  browser: 'chosen in the browser',
  default: 'default',
} as const;
