import {
  BOARD_CHOICES,
  BOARD_TEXT_LENGTHS,
  type BoardSetting,
  type BoardSettingName,
} from '#core/domain/board/board-setting.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { line } from '#core/schema/texts.ts';
import type { Store } from '#db/store.ts';
import * as z from 'zod';
import type { Access } from '../config/access-config.ts';
import type { Config } from '../config/config.ts';
import type { Site } from '../config/site.ts';
import { type Actor, audit } from './admin-actions.ts';

const isThere = (text: string) => text !== '';
const choice = ({ options }: (typeof BOARD_CHOICES)['read']) => {
  return z.enum(options.map(({ value }) => value) as [string, ...string[]]);
};

const VALUES = z.strictObject({
  name: line(BOARD_TEXT_LENGTHS.name).refine(isThere, 'must not be empty').optional(),
  description: line(BOARD_TEXT_LENGTHS.description).refine(isThere, 'must not be empty').optional(),
  read: choice(BOARD_CHOICES.read).optional(),
  join: choice(BOARD_CHOICES.join).optional(),
});

/** The settings that admins can choose in the browser, in memory, so that pages do not depend on the disk. */
export class BoardSettings {
  readonly #store: Store;
  readonly #given: Config['givenSite'];
  readonly #defaults: Readonly<Record<BoardSettingName, string>>;
  #stored = new Map<string, string>();
  #version = 0;
  #onChange: (() => void)[] = [];

  constructor(
    store: Store,
    { givenSite, site, access }: Pick<Config, 'access' | 'givenSite' | 'site'>,
  ) {
    this.#store = store;
    this.#given = givenSite;
    const { name, description } = site;
    this.#defaults = {
      name,
      description,
      read: access.read,
      join: access.join,
    };
    this.reload();
  }

  /** Grows with every change, so that what was prepared with earlier values can be prepared again. */
  get version(): number {
    return this.#version;
  }

  get(name: BoardSettingName): BoardSetting {
    const given = this.#given[name];
    if (given) return given;
    const stored = this.#stored.get(name);
    return stored === undefined
      ? { value: this.#defaults[name], source: 'default' }
      : { value: stored, source: 'browser' };
  }

  /** Whether a value in the environment or `board.toml` prevents a choice in the browser. */
  isGiven(name: BoardSettingName): boolean {
    return this.#given[name] !== undefined;
  }

  /**
   * Stores values. Call it inside a transaction, and `reload()` after the commit. Values that are given elsewhere are
   * not stored.
   *
   * @throws {DomainError} `validation_failed`.
   */
  store(input: unknown, { now, by }: { now: Date; by: Actor }): void {
    const values = parseAs(VALUES, input, 'The form');
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || this.isGiven(name as BoardSettingName)) continue;
      this.#store.boardSettings.set({ name, value, set_at: now.toISOString() });
      audit(this.#store, {
        action: 'setting',
        subject: name,
        operator_id: null,
        reason: null,
        now,
        by,
      });
    }
  }

  reload(): void {
    this.#stored = new Map(this.#store.boardSettings.all().map(({ name, value }) => [name, value]));
    this.#version += 1;
    this.#onChange.forEach((run) => run());
  }

  onChange(run: () => void): void {
    this.#onChange.push(run);
  }
}

/** A site whose name and description follow the settings. */
export function siteWith(site: Site, settings: BoardSettings): Site {
  return {
    ...site,
    get name() {
      return settings.get('name').value;
    },
    get description() {
      return settings.get('description').value;
    },
  };
}

/** Rules for reading and joining that follow the settings. */
export function accessWith(access: Access, settings: BoardSettings): Access {
  return {
    ...access,
    get read() {
      return settings.get('read').value as Access['read'];
    },
    get join() {
      return settings.get('join').value as Access['join'];
    },
  };
}
