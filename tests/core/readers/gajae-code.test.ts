import { gajaeCode } from '#core/readers/gajae-code.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';

describeLogCases(gajaeCode);
