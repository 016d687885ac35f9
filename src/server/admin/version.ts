import { plainJson } from '#core/domain/text/terminal-text.ts';
import { VERSION } from '#core/cli/version.ts';
import { buildOf, findRoot } from '../config/installation.ts';

/** What `--version` prints. The first word of the text is the version. */
export function versionText(isJson: boolean): string {
  const { kind, commit } = buildOf(findRoot());
  const node = process.versions.node;
  if (isJson) return plainJson({ version: VERSION, commit, build: kind, node });
  return `${VERSION} (${kind}, commit ${commit?.slice(0, 12) ?? 'unknown'})`;
}
