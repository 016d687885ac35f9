/** Devices: the code that enrols one, its enrolment, and its end. */
import * as z from 'zod';
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
import { JsonBody, defineRoute } from './route.ts';

export const EnrollmentCode = z
  .strictObject({
    code: z.string().describe('XXXXX-XXXXX-XXXXX; shown once.'),
    expires_at: Timestamp.describe('Until when it can be used.'),
  })
  .meta({ id: 'EnrollmentCode' });
export type EnrollmentCode = z.infer<typeof EnrollmentCode>;

export const createDeviceCode = defineRoute({
  id: 'createDeviceCode',
  tag: 'devices',
  method: 'POST',
  path: '/api/v1/devices/codes',
  summary: 'Create a one-time enrolment code',
  auth: 'session',
  limit: 'writes',
  reply: EnrollmentCode,
  statuses: [201],
});

const TypedCode = z.string().min(1).max(40).describe('The enrollment code, as typed.');

export const KnownDevicesRequest = z
  .strictObject({ code: TypedCode })
  .meta({ id: 'KnownDevicesRequest' });
export type KnownDevicesRequest = z.infer<typeof KnownDevicesRequest>;

export const KnownDevices = z
  .strictObject({
    devices: z
      .array(KnownDevice)
      .max(KNOWN_DEVICES)
      .describe(`At most ${KNOWN_DEVICES}, last used first, without compromised ones.`),
  })
  .meta({ id: 'KnownDevices' });
export type KnownDevices = z.infer<typeof KnownDevices>;

export const listKnownDevices = defineRoute({
  id: 'listKnownDevices',
  tag: 'devices',
  method: 'POST',
  path: '/api/v1/devices/known',
  summary: 'List the devices that a new device may replace',
  description:
    'For a device that is about to enroll: the devices of the account that created the code, with what each states for its latest days. A machine that finds its own days here may be one of these devices. The code is not used up.',
  auth: 'body',
  limit: 'enroll',
  body: KnownDevicesRequest,
  ...JsonBody,
  reply: KnownDevices,
  errors: ['enrollment_code_invalid'],
});

export const EnrollmentRequest = z
  .strictObject({
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
  })
  .meta({ id: 'EnrollmentRequest' });
export type EnrollmentRequest = z.infer<typeof EnrollmentRequest>;

export const Enrollment = z
  .strictObject({
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
  })
  .meta({ id: 'Enrollment' });
export type Enrollment = z.infer<typeof Enrollment>;

export const enrollDevice = defineRoute({
  id: 'enrollDevice',
  tag: 'devices',
  method: 'POST',
  path: '/api/v1/devices/enroll',
  summary: 'Enrol a device with a one-time code',
  auth: 'body',
  limit: 'enroll',
  body: EnrollmentRequest,
  ...JsonBody,
  reply: Enrollment,
  statuses: [201, 200],
  errors: [
    'account_limit_reached',
    'enrollment_code_invalid',
    'public_key_invalid',
    'envelope_invalid',
    'proof_invalid',
    'audience_mismatch',
    'snapshot_stale',
    'key_known',
    'device_not_replaceable',
    'count_out_of_range',
    'too_many_sources',
  ],
});

const OwnDevice = {
  tag: 'devices',
  path: '/api/v1/devices/{id}',
  limit: 'writes',
  params: z.strictObject({ id: Device.shape.id }),
  reply: Device,
} as const;

export const Devices = z
  .strictObject({
    total: z.int().min(0).describe('All devices, also those that `devices` leaves out.'),
    devices: z
      .array(Device)
      .max(SHOWN_DEVICES)
      .describe(`The first ${SHOWN_DEVICES}: those that may sign, then the newest.`),
  })
  .meta({ id: 'Devices' });
export type Devices = z.infer<typeof Devices>;

export const listDevices = defineRoute({
  id: 'listDevices',
  tag: 'devices',
  method: 'GET',
  path: '/api/v1/devices',
  summary: "The caller's devices, also those that may not sign any more",
  auth: 'session',
  reply: Devices,
});

export const DeviceChange = z
  .strictObject({ label: OwnLabel.describe("The device's name in the settings.") })
  .meta({ id: 'DeviceChange' });
export type DeviceChange = z.infer<typeof DeviceChange>;

export const renameDevice = defineRoute({
  ...OwnDevice,
  id: 'renameDevice',
  method: 'PATCH',
  summary: 'Name a device anew',
  auth: 'session',
  body: DeviceChange,
  ...JsonBody,
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

export const revokeDevice = defineRoute({
  ...OwnDevice,
  id: 'revokeDevice',
  method: 'DELETE',
  summary: 'Revoke the device that asks, or one of the signed-in operator',
  auth: 'device_or_session',
  query: RevokeQuery,
  errors: ['count_out_of_range', 'too_many_sources'],
});
