/** The specification of how one device replaces another, as text. */
import type { ProtocolSection } from './protocol-words.ts';

export const REPLACING: ProtocolSection = {
  id: 'replacing',
  title: 'Replacing a device',
  blocks: [
    'A machine that lost its state, was restored from a copy or replaces an old machine can read logs that another device of the account has reported before. Two devices with the same logs count twice, unless one replaces the other. Before a device enrolls, it SHOULD ask which devices the account has: `POST /api/v1/devices/known` with the code, which is not used up. No other credential is read.',
    { fields: 'KnownDevicesRequest' },
    'The answer is 200. A board without this operation answers 404 and cannot replace devices.',
    { fields: 'KnownDevices' },
    'Each item of `devices` has `id`, `label`, `enrolled_at`, `revoked_at`, `last_submission_at` and `days`: the latest days and tools that the device states, with `day`, `tool`, `total` and `stated_at`. A machine whose own tokens of a day, up to `stated_at`, equal such a `total` has probably been that device. Ask the person: only they know whether the other machine is still in use.',
    'To replace a device, put its `id` into the member `replaces` of both the signed statement and the request. Leave the member out otherwise. The board then does all of this at once, or refuses the enrollment:',
    {
      steps: [
        'It revokes the key of the replaced device, with the reason `rotated`.',
        'It enters the new key in the log, with `replaces` in the payload of the `enroll` entry.',
        'From that entry on, all submissions of the replaced device, and of devices that it had replaced, count as submissions of the new device, in the order of the log. A later record replaces an earlier one of either device if its total is equal or larger, and a correction applies to the records of both.',
      ],
    },
    'This cannot be undone. The replaced device is not listed any more, and its ID is not used again. If the new device is revoked as compromised, the submissions of the replaced device do not count either.',
    {
      terms: [
        [
          'device_not_replaceable',
          '409',
          'The account has no such device, it is compromised, another device has replaced it, or it is the device that enrolls. Nothing was enrolled.',
        ],
        [
          'key_known',
          '409',
          'The key was enrolled before, without replacing this device. Make a new key.',
        ],
        [
          'count_out_of_range, too_many_sources',
          '422',
          'What would then count exceeds the bounds of an account.',
        ],
      ],
    },
  ],
};
