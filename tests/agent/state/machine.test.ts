import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Keystore } from '#agent/state/keystore.ts';
import { bind, bindingHere, bindingOf, machineId } from '#agent/state/machine.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

/** An installation in a folder, on a computer of that name. */
function installed(folder: string, machine = 'one') {
  const keystore = new Keystore(folder);
  return { keystore, environment: { OPBENCH_MACHINE: machine } };
}

function bound(folder = join(aFolder(), 'state')) {
  const device = installed(folder);
  device.keystore.installationId();
  bindingHere(device);
  return device;
}

describe('bindingHere()', () => {
  test('binds a new state folder to its computer, whose ID is not stored', () => {
    const { keystore, environment } = bound();

    expect(bindingHere({ keystore, environment })).toEqual({ state: 'same' });
    expect(readFileSync(join(keystore.folder, 'machine.json'), 'utf8')).not.toContain('"one"');
  });

  test('treats another computer as a copy, every time', () => {
    const { folder } = bound().keystore;
    const other = installed(folder, 'two');

    const first = bindingHere(other);

    expect(first).toEqual({ state: 'copied', from: folder, isOtherMachine: true, isBegun: false });
    expect(bindingHere(other)).toEqual(first);
  });

  test('treats a second folder on the computer as a copy, and the first as the original', () => {
    const original = bound();
    const { folder } = original.keystore;
    cpSync(folder, `${folder}-2`, { recursive: true });

    expect(bindingHere(installed(`${folder}-2`))).toMatchObject({ state: 'copied', from: folder });
    expect(bindingHere(original)).toEqual({ state: 'same' });
  });

  test('follows a folder that was moved, even if another installation is at its old path', () => {
    const { folder } = bound().keystore;
    renameSync(folder, `${folder}-2`);
    bound(folder);
    const moved = installed(`${folder}-2`);

    expect(bindingHere(moved)).toEqual({ state: 'moved' });
    expect(bindingHere(moved)).toEqual({ state: 'same' });
  });

  test('treats two paths to one folder as the same', () => {
    const { folder } = bound().keystore;
    symlinkSync(folder, `${folder}-link`);

    expect(bindingHere(installed(`${folder}-link`))).toEqual({ state: 'same' });
  });

  test('changes nothing when it only reads', () => {
    const device = installed(aFolder());

    expect(bindingOf(device)).toEqual({ state: 'unbound' });
    expect(bindingOf(device)).toEqual({ state: 'unbound' });
  });

  test('binds again if its file is damaged', () => {
    const device = bound();
    writeFileSync(join(device.keystore.folder, 'machine.json'), '{');

    expect(bindingHere(device)).toEqual({ state: 'unbound' });
    expect(bindingHere(device)).toEqual({ state: 'same' });
  });

  test('stays a copy until its enrollment is done, even if it moves', () => {
    const { folder } = bound().keystore;
    const copy = `${folder}-2`;
    cpSync(folder, copy, { recursive: true });
    bind(installed(copy), folder);
    renameSync(copy, `${folder}-3`);
    const begun = { state: 'copied', from: folder, isOtherMachine: false, isBegun: true };

    expect(bindingHere(installed(`${folder}-3`))).toEqual(begun);
    bind(installed(`${folder}-3`));
    expect(bindingHere(installed(`${folder}-3`))).toEqual({ state: 'same' });
  });
});

describe('machineId()', () => {
  const nothing = { read: () => null, run: () => null };

  test('reads the first file with an ID on Linux', () => {
    const read = (path: string) => {
      return path === '/etc/machine-id' ? 'uninitialized\n' : `${'ab'.repeat(16)}\n`;
    };

    expect(machineId({}, { ...nothing, platform: 'linux', read })).toBe('ab'.repeat(16));
    expect(machineId({}, { ...nothing, platform: 'linux' })).toBeNull();
  });

  test('runs ioreg on macOS', () => {
    const run = () => '    "IOPlatformUUID" = "0A1B2C3D-0000"\n    "model" = <"Mac">\n';

    expect(machineId({}, { ...nothing, platform: 'darwin', run })).toBe('0A1B2C3D-0000');
    expect(machineId({}, { ...nothing, platform: 'darwin' })).toBeNull();
  });

  test('reads the registry on Windows', () => {
    const run = () => '\r\nHKEY_LOCAL_MACHINE\r\n    MachineGuid    REG_SZ    4f-9a\r\n\r\n';

    expect(machineId({}, { ...nothing, platform: 'win32', run })).toBe('4f-9a');
    expect(machineId({}, { ...nothing, platform: 'win32' })).toBeNull();
  });

  test('uses OPBENCH_MACHINE', () => {
    expect(machineId({ OPBENCH_MACHINE: 'own' }, { ...nothing, platform: 'linux' })).toBe('own');
  });
});
