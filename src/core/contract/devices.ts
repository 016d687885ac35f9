/** Devices: the code that enrols one, its enrolment, and its end. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { Device, KnownDevice } from '../schema/device.ts';
import {
  Codename,
  FingerprintKey,
  KeyId,
  OwnLabel,
  PublicKey,
  Timestamp,
} from '../schema/scalars.ts';
import { KNOWN_DEVICES, SHOWN_DEVICES } from '../schema/shown.ts';
import { Envelope } from '../schema/snapshot.ts';
import { defineRoute } from './route.ts';

export const EnrollmentCode = object('EnrollmentCode', {
  code: z.string().describe('XXXXX-XXXXX-XXXXX; shown once.'),
  expires_at: Timestamp.describe('Until when it can be used.'),
});
export type EnrollmentCode = z.infer<typeof EnrollmentCode>;

export const createDeviceCode = defineRoute('createDeviceCode', {
  auth: 'session',
  reply: EnrollmentCode,
});

const TypedCode = z.string().min(1).max(40).describe('The enrollment code, as typed.');

export const KnownDevicesRequest = object('KnownDevicesRequest', { code: TypedCode });
export type KnownDevicesRequest = z.infer<typeof KnownDevicesRequest>;

export const KnownDevices = object('KnownDevices', {
  devices: z
    .array(KnownDevice)
    .max(KNOWN_DEVICES)
    .describe(`At most ${KNOWN_DEVICES}, last used first, without compromised ones.`),
});
export type KnownDevices = z.infer<typeof KnownDevices>;

export const listKnownDevices = defineRoute('listKnownDevices', {
  auth: 'body',
  body: KnownDevicesRequest,
  reply: KnownDevices,
});

export const EnrollmentRequest = object('EnrollmentRequest', {
  code: TypedCode,
  public_key: PublicKey,
  installation_id: z.uuid().describe('Stays the same when the installation enrolls again.'),
  label: OwnLabel.describe("The device's name in the settings."),
  proof: Envelope.describe("The new key's signature over this request."),
  replaces: Device.shape.id
    .optional()
    .describe(
      'A device of the account that this one replaces: what it ever sent then counts as sent by this one, and its key is revoked. The proof must state the same.',
    ),
});
export type EnrollmentRequest = z.infer<typeof EnrollmentRequest>;

export const Enrollment = object('Enrollment', {
  device: Device.describe('The device that may sign from now on.'),
  codename: Codename,
  board: z
    .strictObject({
      name: z.string().describe('As its keeper named it.'),
      base_url: z.url().describe('Where it is served; what is signed for it names this.'),
      keyid: KeyId.describe('The key that signs receipts.'),
      public_key: PublicKey,
    })
    .describe('The board that the device signs for.'),
  fingerprint_key: FingerprintKey.describe(
    'The key of the fingerprints that devices of this account state, as in `GET /api/v1/me`.',
  ),
});
export type Enrollment = z.infer<typeof Enrollment>;

export const enrollDevice = defineRoute('enrollDevice', {
  auth: 'body',
  body: EnrollmentRequest,
  reply: Enrollment,
});

const OwnDevice = { params: z.strictObject({ id: Device.shape.id }), reply: Device } as const;

export const Devices = object('Devices', {
  total: z.int().min(0).describe('All devices, also those that `devices` leaves out.'),
  devices: z
    .array(Device)
    .max(SHOWN_DEVICES)
    .describe(`The first ${SHOWN_DEVICES}: those that may sign, then the newest.`),
});
export type Devices = z.infer<typeof Devices>;

export const listDevices = defineRoute('listDevices', { auth: 'session', reply: Devices });

export const DeviceChange = object('DeviceChange', {
  label: OwnLabel.describe("The device's name in the settings."),
});
export type DeviceChange = z.infer<typeof DeviceChange>;

export const renameDevice = defineRoute('renameDevice', {
  ...OwnDevice,
  auth: 'session',
  body: DeviceChange,
});

export const RevokeQuery = z.strictObject({
  reason: z
    .enum(['revoked', 'compromised'])
    .default('revoked')
    .describe(
      'compromised: somebody else may have signed with the device, so nothing that it ever sent counts any more. Only a signed-in operator can say so, also of a device that was revoked before.',
    ),
});
export type RevokeQuery = z.infer<typeof RevokeQuery>;

export const revokeDevice = defineRoute('revokeDevice', {
  ...OwnDevice,
  auth: 'device_or_session',
  query: RevokeQuery,
});
