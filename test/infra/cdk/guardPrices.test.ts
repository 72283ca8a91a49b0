import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MANAGED_RULES } from '../../../infra/cdk/frontDoor/managedRules.ts';
import { TABLES } from '../../../infra/cdk/createTables.ts';
import { PRICES } from '../../../infra/emulation/bill/prices.ts';
import { FUNCTIONS } from '../../../infra/topology.ts';

const HOURS_A_MONTH = 730;
const ZONES = 2;
const RATE_RULES = 1;

/** DynamoDB keeps the key of a table for each role, and asks again after five minutes. */
const tableUses = Object.keys(FUNCTIONS).length * Object.keys(TABLES).length * 12 * HOURS_A_MONTH;
/**
 * Each time a data key is too old, a sender takes a new one (two uses), and a receiver decrypts it: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html.
 * The work queue has four senders and a receiver, that of notices three and one, that of dead letters one.
 */
const queueUses = (reusesAnHour: number) => reusesAnHour * HOURS_A_MONTH * (2 * 4 + 1 + (2 * 3 + 1) + 2);

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

describe('the prices of what guards the stack', () => {
  const readme = readFileSync('README.md', 'utf8');
  const decision = readFileSync('infra/adr/0050-private.md', 'utf8');
  const rowOf = (knob: string) => readme.split('\n').find((line) => line.startsWith(`| \`${knob}`)) ?? '';

  it('are those of an interface endpoint in two zones', () => {
    expect(rowOf('endpoint=')).toContain(dollars(ZONES * HOURS_A_MONTH * PRICES.interfaceEndpointHour));
  });

  it('are those of a web ACL with a rule for each group and one for the limit', () => {
    const rules = MANAGED_RULES.length + RATE_RULES;
    expect(rowOf('firewall=')).toContain(dollars(PRICES.webAclMonth + rules * PRICES.webAclRuleMonth));
    expect(rowOf('firewall=')).toContain(`${dollars(PRICES.webAclRequest * 1e6)} for a million`);
  });

  it('are those of a key, with the most uses by tables and queues', () => {
    expect(tableUses).toBe(262_800);
    expect(queueUses(1)).toBe(13_140);
    const uses = (tableUses + queueUses(1)) * PRICES.kmsRequest;
    expect(rowOf('encryptionKey=')).toContain(`${dollars(PRICES.kmsKeyMonth)}, at most ${dollars(uses)}`);
    expect(decision).toContain(`${dollars(tableUses * PRICES.kmsRequest)}. SQS with an hour`);
    expect(decision).toContain(`with its default it would be ${dollars(queueUses(12) * PRICES.kmsRequest)}`);
  });

  it('are those of backups', () => {
    expect(rowOf('backupCopies=')).toContain(`${dollars(PRICES.backupGbMonth)} for each GB`);
  });
});
