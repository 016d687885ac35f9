import { hash } from 'node:crypto';
import type { Sha256 } from '#core/domain/signing/dsse.ts';

export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');
