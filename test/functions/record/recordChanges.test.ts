import { describe, expect, test } from 'vitest';
import {
  type Appender,
  createGivenUpHandler,
  createRecordHandler,
  MAX_PIECE_LENGTH,
  type Recorded,
  type RecordedItem,
} from '../../../lambdas/functions/record/createRecordHandler.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { sample } from '../../contracts/objectStoreSamples.ts';
import { objectVersions } from '../../support/objectVersions.ts';

type Item = RecordedItem & { readonly says: Recorded };

function changeOf(resource: string, version: number): Change {
  return { type: 'ADDED', resource, version, after: sample(`object-${version}`) };
}

function item(sequence: number, says: Recorded): Item {
  return { dynamodb: { SequenceNumber: String(sequence) }, says };
}

function change(resource: string, version: number, jsonLength = 100): Recorded {
  return { status: 'change', change: changeOf(resource, version), jsonLength };
}

/** A record function over an appender that records its calls, and that fails as the test says. */
function bench(options: { failing?: readonly string[] } = {}) {
  const done: string[] = [];
  const appender: Appender = {
    append: async (resource, changes) => {
      if (options.failing?.includes(resource)) throw new Error('throttled');
      done.push(`append ${resource} ${changes.map(({ version }) => version).join(',')}`);
    },
    startEpoch: async (resource, passedOver = []) => {
      if (options.failing?.includes(resource)) throw new Error('throttled');
      done.push(['epoch', resource, ...passedOver.map(({ version }) => version)].join(' '));
    },
  };
  const dependencies = {
    appender,
    resources: ['pods', 'secrets'],
    queueEveryKey: async (resource: string) => void done.push(`queue ${resource}`),
    log: () => {},
  };
  const handler = createRecordHandler<Item>({ ...dependencies, decode: ({ says }) => says });
  return { done, handle: (...Records: Item[]) => handler({ Records }), givenUp: createGivenUpHandler(dependencies) };
}

describe('record', () => {
  test('appends to each resource its part of the batch, in the order of the batch', async () => {
    const { done, handle } = bench();
    const response = await handle(
      item(1, change('pods', 5)),
      item(2, change('secrets', 1)),
      item(3, { status: 'none' }),
      item(4, change('pods', 4)),
    );
    expect(response).toEqual({ batchItemFailures: [] });
    expect(done.sort()).toEqual(['append pods 5,4', 'append secrets 1']);
  });

  test('reports the first record of a resource whose log cannot be written, and still appends the others', async () => {
    const { done, handle } = bench({ failing: ['pods'] });
    const response = await handle(
      item(1, change('secrets', 1)),
      item(2, change('pods', 5)),
      item(3, change('secrets', 2)),
      item(4, change('pods', 6)),
    );
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    expect(done).toEqual(['append secrets 1,2']);
  });

  test('reports the first record of the batch if several logs cannot be written', async () => {
    const { handle } = bench({ failing: ['pods', 'secrets'] });
    const response = await handle(item(7, change('secrets', 1)), item(8, change('pods', 5)));
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] });
  });

  test('appends changes of large objects in pieces, so that neither this function nor a reader has all of them in memory', async () => {
    const { done, handle } = bench();
    const large = MAX_PIECE_LENGTH / 2;
    const response = await handle(
      item(1, change('pods', 1)),
      item(2, change('secrets', 1, large)),
      item(3, change('pods', 2, large)),
      item(4, change('secrets', 2, large)),
      item(5, change('secrets', 3)),
    );
    expect(response).toEqual({ batchItemFailures: [] });
    expect(done).toEqual(['append pods 1,2', 'append secrets 1', 'append secrets 2,3']);
  });

  test('appends nothing after a piece that failed, so that no change of an object is logged before an older one', async () => {
    const { done, handle } = bench({ failing: ['pods'] });
    const response = await handle(
      item(1, change('secrets', 1)),
      item(2, change('pods', 5, MAX_PIECE_LENGTH)),
      item(3, change('secrets', 2)),
    );
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    expect(done).toEqual(['append secrets 1']);
  });

  test('begins a new epoch for the resource of an unreadable record, after appending the readable ones', async () => {
    const { done, handle } = bench();
    const unreadable: Recorded = { status: 'unreadable', resource: 'pods', why: 'broken' };
    expect(await handle(item(1, change('pods', 5)), item(2, unreadable))).toEqual({ batchItemFailures: [] });
    expect(done).toEqual(['append pods 5', 'queue pods', 'epoch pods']);
  });

  test('begins a new epoch of every resource for a record whose resource is unknown', async () => {
    const { done, handle } = bench();
    await handle(item(1, { status: 'unreadable', resource: undefined, why: 'no key' }));
    expect(done.filter((line) => line.startsWith('epoch'))).toEqual(['epoch pods', 'epoch secrets']);
  });

  test('begins a new epoch of every resource when records were given up', async () => {
    const { done, givenUp } = bench();
    expect(await givenUp()).toEqual({});
    expect(done).toEqual(['epoch pods', 'epoch secrets']);
  });

  test('passes the changes over that were given up, if they are known', async () => {
    const { done, givenUp } = bench();
    expect(await givenUp({ secrets: objectVersions(5, 7) })).toEqual({});
    expect(done).toEqual(['epoch secrets 5 7']);
  });

  test('names the resources whose logs could not begin anew, and fails if none could', async () => {
    expect(await bench({ failing: ['pods'] }).givenUp()).toEqual({ pods: [] });
    expect(await bench({ failing: ['pods'] }).givenUp({ pods: objectVersions(5), secrets: [] })).toEqual({
      pods: objectVersions(5),
    });
    await expect(bench({ failing: ['pods'] }).givenUp({ pods: objectVersions(5) })).rejects.toThrow();
  });
});
