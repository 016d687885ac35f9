import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DEVICE_TOOLS } from '#agent/mcp/tools.ts';
import { releaseOf } from '#server/cli-release/release.ts';
import { storedZip } from '#server/cli-release/stored-zip.ts';
import { aFolder } from '#tests/support/agent/npm.ts';
import { unzipped } from '#tests/support/agent/unzip.ts';

const BOARD = 'https://bench.example';
const BUILT = {
  program: '#!/usr/bin/env node\n// opbench 1.2.3\nconst a="@OPBENCH_BOARD@";\n',
  license: 'MIT\n',
  installers: { sh: '', ps1: '' },
};

const FILES = [
  { name: 'a.txt', bytes: Buffer.from('a') },
  { name: 'folder/ä.mjs', bytes: Buffer.alloc(70_000, 'b') },
  { name: 'empty', bytes: Buffer.alloc(0) },
];

const Text = z.string().min(1);
const Config = z.strictObject({
  command: Text,
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** The published rules for manifests of version 0.3, which reject unknown members. */
const Manifest = z.strictObject({
  manifest_version: z.literal('0.3'),
  name: Text,
  display_name: Text.optional(),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  description: Text,
  long_description: Text.optional(),
  author: z.strictObject({ name: Text, email: z.email().optional(), url: z.url().optional() }),
  homepage: z.url().optional(),
  documentation: z.url().optional(),
  license: Text.optional(),
  privacy_policies: z.array(z.url()).optional(),
  server: z.strictObject({
    type: z.enum(['python', 'node', 'binary']),
    entry_point: Text,
    mcp_config: Config.extend({
      platform_overrides: z.record(z.string(), Config.partial()).optional(),
    }),
  }),
  tools: z.array(z.strictObject({ name: Text, description: Text.optional() })).optional(),
  prompts_generated: z.boolean().optional(),
  compatibility: z
    .strictObject({
      claude_desktop: Text.optional(),
      platforms: z.array(z.enum(['darwin', 'win32', 'linux'])).optional(),
      runtimes: z.strictObject({ python: Text.optional(), node: Text.optional() }).optional(),
    })
    .optional(),
  user_config: z
    .record(
      z.string(),
      z.strictObject({
        type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
        title: Text,
        description: Text,
        required: z.boolean().optional(),
        default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
        sensitive: z.boolean().optional(),
      }),
    )
    .optional(),
});

async function aBundle() {
  const { bundle, program } = await releaseOf(BUILT, BOARD);
  const files = unzipped(bundle);
  const manifest = Manifest.parse(JSON.parse(String(files.get('manifest.json'))));
  return { files, manifest, program };
}

describe('storedZip()', () => {
  test('returns the same bytes on every computer', () => {
    expect(createHash('sha256').update(storedZip(FILES)).digest('hex')).toBe(
      '55342a537a8b69d7ce49654a801028bf848e65fa32491c7c81af602a5a5b55fb',
    );
  });

  test('has every file, with its checksum', () => {
    const files = FILES.map(({ name, bytes }) => [name, bytes]);

    expect([...unzipped(storedZip(FILES))]).toEqual(files);
    expect([...unzipped(storedZip([]))]).toEqual([]);
  });

  test('is accepted by unzip', ({ skip }) => {
    const folder = aFolder();
    writeFileSync(join(folder, 'a.zip'), storedZip(FILES));
    const { error, status, stdout } = spawnSync('unzip', ['-t', 'a.zip'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (error) return skip('unzip is not installed');

    expect([status, stdout]).toEqual([0, expect.stringContaining('No errors detected')]);
  });
});

describe('the bundle for desktop clients', () => {
  test('has the program and a valid manifest', async () => {
    const { files, manifest, program } = await aBundle();

    expect([...files.keys()]).toEqual(['manifest.json', 'opbench.mjs', 'README.md', 'LICENSE']);
    expect(files.get('opbench.mjs')).toEqual(program);
    expect(manifest).toMatchObject({
      name: 'opbench',
      version: '1.2.3',
      author: { name: 'bench.example', url: BOARD },
      privacy_policies: [`${BOARD}/privacy`],
      compatibility: { runtimes: { node: '>=20' } },
    });
  });

  test('starts the program inside of it, for the board that the user chose', async () => {
    const { files, manifest } = await aBundle();
    const { entry_point, mcp_config } = manifest.server;

    expect(files.has(entry_point)).toBe(true);
    expect(mcp_config).toEqual({
      command: 'node',
      args: [`\${__dirname}/${entry_point}`, 'mcp', '--board=${user_config.board}'],
    });
    expect(manifest.user_config).toMatchObject({
      board: { type: 'string', default: BOARD, required: false },
    });
  });

  test('lists the tools of the program', async () => {
    const { manifest } = await aBundle();
    const names = manifest.tools?.map(({ name }) => name);

    expect(names).toEqual(DEVICE_TOOLS.map(({ name }) => name));
    for (const { description } of manifest.tools ?? []) expect(description).toMatch(/\.$/);
  });
});
