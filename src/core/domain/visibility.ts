/**
 * What the public may see of an operator. Every surface (HTML, JSON, CSV, log, corpus, feeds, images,
 * search, tools) asks this function, or reads the two columns that are written from it.
 *
 * @module
 */
import type { PrivacyMode } from '../schema/record.ts';

export interface Visibility {
  /** What the public calls the operator; null if it must not see anything. */
  public_name: string | null;
  /** Whether page, history, records, keys, submissions and the log's payloads are public. */
  is_open: boolean;
}

/**
 * What is visible in a privacy mode:
 *
 * - `identified`: everything;
 * - `pseudonymous`: all but the profile;
 * - `anonymous`: a row on the board under a name that leads nowhere;
 * - `private`: nothing, and the operator is counted nowhere.
 *
 * @param alias The name that stands for the codename while anonymous.
 */
export function visibilityOf(mode: PrivacyMode, codename: string, alias: string): Visibility {
  switch (mode) {
    case 'identified':
      return { public_name: codename, is_open: true };
    case 'pseudonymous':
      return { public_name: codename, is_open: true };
    case 'anonymous':
      return { public_name: alias, is_open: false };
    case 'private':
      return { public_name: null, is_open: false };
  }
}

/** Whether display name, avatar, bio, location and links are shown in a privacy mode. */
export function showsProfile(mode: PrivacyMode): boolean {
  return mode === 'identified';
}

/** What operators call themselves, where the mode shows it. */
export function shownDisplayName({
  privacy_mode,
  display_name,
}: {
  privacy_mode: PrivacyMode;
  display_name: string | null;
}): string | null {
  return showsProfile(privacy_mode) ? display_name : null;
}
