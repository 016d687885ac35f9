import { compareVersions, isVersion } from './versions.ts';

/** What changed in a version. */
export interface VersionNotes {
  version: string;
  /** Markdown, without the heading. */
  text: string;
}

/** The sections of release notes about versions that are newer than the given one. */
export function notesSince(markdown: string, version: string): VersionNotes[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', text = ''] = section.split(/\n([^]*)/);
      return { version: heading.trim().split(/\s/)[0] ?? '', text: text.trim() };
    })
    .filter((notes) => isVersion(notes.version) && compareVersions(notes.version, version) > 0);
}
