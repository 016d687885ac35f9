import { readConfig } from '#server/config/config.ts';
import { ConfigError } from '#server/config/config-error.ts';
import type { BuildKind } from '#server/config/installation.ts';
import type { ServedSettings } from '#server/running-server.ts';
import { EXIT, type AdminOutput, type Command, command } from '../command.ts';
import { type Found, findRelease } from '../upgrade/find-release.ts';
import { type Machine, thisMachine } from '../upgrade/machine.ts';
import { type ReleaseSource, sourceAt } from '../upgrade/release-source.ts';
import type { VersionNotes } from '../upgrade/release-notes.ts';
import { replaceExecutable } from '../upgrade/replace-executable.ts';
import { refused } from '../upgrade/upgrade-error.ts';
import { compareVersions } from '../upgrade/versions.ts';

/** How to upgrade programs that cannot replace themselves. */
const BY_HAND: Readonly<Record<BuildKind, string | null>> = {
  'single file': null,
  checkout:
    'This is a checkout. To upgrade it, run "git pull", then "npm run -s board -- --help" to build it, and restart the board.',
  'container image':
    'This is a container image. To upgrade it, load the image of the new version and create the container again.',
  'npm package':
    'This is the npm package. To upgrade it, install the package of the new version with "npm install -g FILE.tgz" and restart the board.',
};

/** The command for a program whose properties are known when it runs. */
export function upgradeOn(machineOf: () => Machine): Command {
  return command({
    help: `opbench-board upgrade: replace this program with the newest release

Usage: opbench-board upgrade [--check] [--json]

  --check  only show the newest version and what changed
  --json   print JSON

Set UPDATE_URL to the address or folder with the releases. Without it, the command
contacts nobody. No other command and no server ever contacts it.

upgrade verifies the signature of the release with the key in this program. It
replaces the executable file only if the new one is complete and starts. A board
that is running continues with the old version until you restart it. upgrade never
installs an older version.

A checkout, the npm package and a container image do not replace themselves. For
these, upgrade prints what to do.

Example: UPDATE_URL=https://releases.example.org/opbench/ opbench-board upgrade
`,
    json: `opbench-board upgrade --json prints one object:

  current   running version
  newest    newest version at UPDATE_URL for this platform
  is_newer  whether newest is newer than current
  notes     array of {version, text} for each newer version; text is Markdown
  replaced  path of the replaced file, or null
`,
    options: { check: 'flag' },
    // The executable belongs to root.
    keepsUser: true,
    async run({ values: { check } }, output, settings) {
      const machine = machineOf();
      const source = releasesFor(machine, settings);
      const byHand = BY_HAND[machine.kind];
      if (byHand !== null && !check) throw refused(byHand);
      const platform = byHand === null ? machine.platform : null;
      const found = await findRelease({ ...machine, source, platform });
      if (check) report(found, machine, output);
      else await install(found, { machine, source, output });
      return EXIT.ok;
    },
  });
}

export const upgrade = upgradeOn(thisMachine);

/** @throws {ConfigError} if UPDATE_URL is not set. */
function releasesFor({ kind, fetch, idleMs }: Machine, settings: ServedSettings): ReleaseSource {
  const { updateUrl } = readConfig(settings.environment);
  if (updateUrl !== null) return sourceAt(updateUrl, { fetch, ...(idleMs && { idleMs }) });
  if (settings.unknown.includes('UPDATE_URL')) {
    throw new ConfigError(
      'UPDATE_URL of the running server holds a password, which this user cannot read. Run the command as root, or with --env-file FILE',
    );
  }
  const byHand = BY_HAND[kind];
  throw new ConfigError(
    `UPDATE_URL is not set, so opbench-board contacts nobody. Set it to the address or folder with the releases. Example: UPDATE_URL=https://releases.example.org/opbench/${byHand === null ? '' : `\n${byHand}`}`,
  );
}

interface Installing {
  machine: Machine;
  source: ReleaseSource;
  output: AdminOutput;
}

async function install(found: Found, { machine, source, output }: Installing): Promise<void> {
  const { version, executable } = machine;
  const { newest } = found;
  const order = compareVersions(newest.version, version);
  if (order < 0) {
    throw refused(
      `The newest release in ${source.shown} is ${newest.version}, older than ${version}, which is running. To install an older version, download it by hand`,
    );
  }
  if (order === 0) return report(found, machine, output);
  output.part(notesText(found.notes));
  await replaceExecutable({ ...machine, source, release: newest });
  const text = `${executable} is now version ${newest.version}. It was ${version}.`;
  output.result(dataOf(found, machine, executable), text);
  output.note(
    'Restart the board to run it. With systemd: systemctl restart opbench\n' +
      'When it starts, it copies the database before it upgrades it.',
  );
}

/** Prints what the newest version is, without changing anything. */
function report(found: Found, machine: Machine, output: AdminOutput): void {
  const { newest, notes } = found;
  const { version, kind } = machine;
  const data = dataOf(found, machine, null);
  if (!data.is_newer) {
    const state = newest.version === version ? 'the newest version' : 'newer than all releases';
    return output.result(data, `${version} is running, ${state}.`);
  }
  output.result(data, `${notesText(notes)}${newest.version} is available. ${version} is running.`);
  output.note(BY_HAND[kind] ?? 'To install it, run: opbench-board upgrade');
}

function notesText(notes: readonly VersionNotes[]): string {
  return notes.map(({ version, text }) => `${version}\n\n${text}\n\n`).join('');
}

function dataOf({ newest, notes }: Found, { version }: Machine, replaced: string | null) {
  const is_newer = compareVersions(newest.version, version) > 0;
  return { current: version, newest: newest.version, is_newer, notes, replaced };
}
