import { primeAgent } from '#core/readers/prime-agent.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';

describeLogCases(primeAgent);
