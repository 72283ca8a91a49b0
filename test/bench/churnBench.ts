import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { TABLES } from '../../infra/cdk/createTables.ts';
import { PRICES } from '../../infra/emulation/bill/prices.ts';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { UNLIMITED } from '../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../model/DynamoModel.ts';
import { Random } from '../simulation/Random.ts';
import { Scheduler } from '../simulation/Scheduler.ts';
import { benchTemplate, type PodShape } from './benchPods.ts';
import { letPass } from './letPass.ts';

const DAY_MS = 24 * 3_600_000;
/** How often somebody lists the pods, as a person or a client that begins anew does. */
const LISTED_EVERY_MS = 10 * 60_000;
/** How many pods come and go at the same time. */
const AT_ONCE = 500;
/** The pods that stay. */
const STANDING = 1_000;
const LATENCY_MS = 5;
const NAMESPACE = 'churn';

/**
 * Shows what a list costs in a namespace in which many pods were created and removed within a day, whose tombstones lie between the names. `npm run bench -- --churn 100000`. Every ten minutes somebody lists them, and that list
 * drops what is an hour old. The log is taken to hold everything. The tables bear everything here: only units are measured. Resolves to a line if the list takes longer than before.
 */
export async function churnBench(pods: number, shape: PodShape): Promise<readonly string[]> {
  const churn = new Churn(shape);
  await churn.add('standing', STANDING);
  const before = await churn.list();
  console.log(`a list of ${STANDING} pods: ${inWords(before)}`);
  for (let gone = 0; gone < pods; gone += AT_ONCE) await churn.comeAndGo(`gone-${gone}`, (DAY_MS * AT_ONCE) / pods);
  console.log(`lists every ten minutes dropped ${churn.dropped} tombstones, for a write unit each`);
  const after = await churn.list();
  console.log(`after ${pods} others came and went within a day: ${inWords(after)}`);
  return after.tookMs > before.tookMs
    ? [`tombstones slow a list down, from ${before.tookMs} ms to ${after.tookMs} ms`]
    : [];
}

interface Listed {
  readonly count: number;
  readonly units: number;
  readonly requests: number;
  /** As long as requests take that are sent at the same time or after each other. */
  readonly tookMs: number;
}

function inWords({ count, units, requests, tookMs }: Listed): string {
  const dollars = (units * PRICES.dynamoDbReadUnit).toFixed(5);
  return `${count} pods for ${units} read units ($${dollars}) by ${requests} requests, ${tookMs} ms with ${LATENCY_MS} ms for each request`;
}

/** A store without functions. */
class Churn {
  readonly #scheduler = new Scheduler(Date.parse('2026-01-01T00:00:00Z'), new Random(1));
  readonly #model = new DynamoModel({ clock: this.#scheduler, random: new Random(2), physics: UNLIMITED });
  readonly #store: DynamoDbObjectStore;
  #listedMs = this.#scheduler.now();
  /** How many tombstones lists have dropped. */
  dropped = 0;

  readonly #shape: PodShape;

  constructor(shape: PodShape) {
    this.#shape = shape;
    const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
    for (const name of ['objects', 'versions', 'namespaces'] as const) this.#model.createTable(name, TABLES[name]);
    const send = async (command: object) => {
      await this.#scheduler.wait(LATENCY_MS);
      return this.#model.execute(command);
    };
    const client = { send } as unknown as DynamoDBClient;
    const calls = new DynamoDbCalls({ client, clock: this.#scheduler, ids: new SeededIds(1) });
    this.#store = new DynamoDbObjectStore({ calls, tables });
  }

  async add(prefix: string, count: number): Promise<void> {
    await letPass(
      this.#scheduler,
      async () => void (await Promise.all(namesOf(prefix, count).map((name) => this.#create(name)))),
    );
  }

  /** Some pods are created and removed in this time. */
  async comeAndGo(prefix: string, durationMs: number): Promise<void> {
    await this.add(prefix, AT_ONCE);
    await letPass(this.#scheduler, async () => {
      const keys = namesOf(prefix, AT_ONCE).map((name) => ({ resource: 'pods', namespace: NAMESPACE, name }));
      await Promise.all(keys.map((key) => this.#store.remove(key)));
      await this.#scheduler.wait(durationMs);
    });
    for (; this.#listedMs + LISTED_EVERY_MS <= this.#scheduler.now(); this.#listedMs += LISTED_EVERY_MS)
      await this.#dropOld();
  }

  async #dropOld(): Promise<void> {
    const before = this.#model.table('objects').itemCount;
    await letPass(this.#scheduler, async () => {
      const { dropTombstones } = await this.#store.list('pods', { namespace: NAMESPACE });
      await dropTombstones?.();
    });
    this.dropped += before - this.#model.table('objects').itemCount;
  }

  /** Lists the pods, and resolves to what that takes. */
  async list(): Promise<Listed> {
    this.#model.usage.reset();
    const beganMs = this.#scheduler.now();
    let count = 0;
    await letPass(this.#scheduler, async () => {
      count = (await this.#store.list('pods', { namespace: NAMESPACE })).items.length;
    });
    const { rows } = this.#model.usage;
    return {
      count,
      units: rows.reduce((sum, { readUnits }) => sum + readUnits, 0),
      requests: rows.reduce((sum, { calls }) => sum + calls, 0),
      tookMs: this.#scheduler.now() - beganMs,
    };
  }

  async #create(name: string): Promise<void> {
    const { metadata, spec } = benchTemplate(name, 'nginx:1', this.#shape);
    const uid = `00000000-0000-4000-8000-${name.padStart(12, '0').slice(-12)}`;
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, namespace: NAMESPACE, name, uid }, spec };
    await this.#store.create('pods', pod);
  }
}

function namesOf(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
}
