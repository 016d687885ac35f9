import { ohMyPi } from '#core/readers/oh-my-pi.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';

describeLogCases(ohMyPi);
