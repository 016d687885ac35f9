/** Devices: enrollment codes, enrollment, renaming and revocation. */
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
  code: z.string().describe('The code, XXXXX-XXXXX-XXXXX. It is shown only once.'),
  expires_at: Timestamp.describe('When the code expires.'),
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
    .describe(
      `At most ${KNOWN_DEVICES} devices, most recently used first. Devices marked as compromised are left out.`,
    ),
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
  installation_id: z
    .uuid()
    .describe('The ID of the installation. Keep it when the installation enrolls again.'),
  label: OwnLabel.describe("The device's name in the settings."),
  proof: Envelope.describe("The new key's signature over this request."),
  replaces: Device.shape.id
    .optional()
    .describe(
      'A device of the account that this one replaces. All of its submissions then count as submissions of the new device, and its key is revoked. The proof must contain the same value.',
    ),
});
export type EnrollmentRequest = z.infer<typeof EnrollmentRequest>;

export const Enrollment = object('Enrollment', {
  device: Device.describe('The enrolled device.'),
  codename: Codename,
  board: z
    .strictObject({
      name: z.string().describe('The name of the board.'),
      base_url: z
        .url()
        .describe('The base URL of the board, the audience of everything signed for it.'),
      keyid: KeyId.describe('The key that signs receipts.'),
      public_key: PublicKey,
    })
    .describe('The board that the device signs for.'),
  fingerprint_key: FingerprintKey.describe(
    'The key for the fingerprints of this account, as in `GET /api/v1/me`.',
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
  total: z
    .int()
    .min(0)
    .describe('The number of all devices, including those that `devices` leaves out.'),
  devices: z
    .array(Device)
    .max(SHOWN_DEVICES)
    .describe(`At most ${SHOWN_DEVICES}: devices that can sign first, then the newest.`),
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
      '`compromised` marks the device as compromised: somebody else could have signed with it, so none of its submissions count any more. Only a signed-in operator can do this, even for a device that was revoked earlier.',
    ),
});
export type RevokeQuery = z.infer<typeof RevokeQuery>;

export const revokeDevice = defineRoute('revokeDevice', {
  ...OwnDevice,
  auth: 'device_or_session',
  query: RevokeQuery,
});
