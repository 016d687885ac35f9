/**
 * What the public may see of an operator. Every surface (HTML, JSON, CSV, log, corpus, feeds, images, search,
 * tools) uses this function, or the two database columns that are written from it.
 *
 * @module
 */
import type { PrivacyMode } from '#core/schema/record.ts';

interface Visibility {
  /** The operator's public name; null if nothing is public. */
  public_name: string | null;
  /** Whether page, history, records, keys, submissions and the log's payloads are public. */
  is_open: boolean;
}

/**
 * What is visible in a privacy mode:
 *
 * - `identified`: everything;
 * - `pseudonymous`: everything except the profile;
 * - `anonymous`: a row on the board under a name that leads nowhere;
 * - `private`: nothing, and the operator is not counted anywhere.
 *
 * Operators that the admin hides appear as private, whatever the mode.
 *
 * @param alias The name shown instead of the codename while anonymous.
 */
export function visibilityOf(
  mode: PrivacyMode,
  { codename, alias, isHidden }: { codename: string; alias: string; isHidden: boolean },
): Visibility {
  if (isHidden) return { public_name: null, is_open: false };
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

/** The display name, if the mode shows it. */
export function shownDisplayName({
  privacy_mode,
  display_name,
}: {
  privacy_mode: PrivacyMode;
  display_name: string | null;
}): string | null {
  return showsProfile(privacy_mode) ? display_name : null;
}

/** The cohort that an operator counts in, if the mode shows it and the operator did not opt out. */
export function shownCohort({
  privacy_mode,
  cohort_id,
  data_opt_out,
}: {
  privacy_mode: PrivacyMode;
  cohort_id: string | null;
  data_opt_out: 0 | 1;
}): string | null {
  return showsProfile(privacy_mode) && data_opt_out === 0 ? cohort_id : null;
}
