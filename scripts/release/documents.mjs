// The documents of a release: notes, bill of materials, digests.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../runtime.mjs';
import { NAME, sha256, version } from './files.mjs';

export const SUMS = 'SHA256SUMS';

/**
 * Writes the release notes: the changelog from this version back, so that an upgrade can show what is new since any
 * earlier version.
 *
 * @throws {Error} if the changelog does not begin with this version.
 */
export function writeNotes(path) {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const [, first] = /^## (\S+)/m.exec(changelog) ?? [];
  if (first !== version) {
    throw new Error(`CHANGELOG.md begins with ${first}, but package.json has version ${version}`);
  }
  writeFileSync(path, changelog.slice(changelog.indexOf(`## ${version}`)));
}

/**
 * Writes the bill of materials in CycloneDX. npm makes it from the lockfile, and adds a random number, the current time
 * and the name of the folder.
 */
export function writeBillOfMaterials(path, created) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const words = [npm, 'sbom', ...options, '--omit=dev'];
  const { status, stdout, stderr } = spawnSync(node, words, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
  const bill = JSON.parse(stdout);
  bill.metadata.timestamp = created.toISOString();
  bill.metadata.component.name = NAME;
  delete bill.serialNumber;
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`;
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9562#section-5.8 | RFC 9562, version 8} */
function uuidOf(text) {
  const digest = createHash('sha256').update(text).digest();
  digest[6] = (digest[6] & 0x0f) | 0x80;
  digest[8] = (digest[8] & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Writes the digests of all files in a folder, in the format of sha256sum, and returns them. */
export function writeSums(folder) {
  const lines = readdirSync(folder)
    .filter((name) => !name.startsWith(SUMS))
    .sort()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  const sums = Buffer.from(lines.join(''));
  writeFileSync(join(folder, SUMS), sums);
  return sums;
}
