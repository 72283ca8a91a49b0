import { beforeEach, describe, expect, test } from 'vitest';
import { createCustomResourceDefinitionController } from '../../../lambdas/controllers/customresourcedefinition/createCustomResourceDefinitionController.ts';
import {
  CLEANUP_FINALIZER,
  type CustomResourceDefinition,
  DEFINITIONS,
} from '../../../lambdas/registry/customresources/CustomResourceDefinition.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { widget, widgetDefinition } from '../../support/widgetDefinition.ts';

const WIDGETS = 'widgets.example.com';
let bench: ControllerBench;

beforeEach(async () => {
  bench = start();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
});

function start(times: { readonly lateCreatesMs?: number; readonly rememberMs?: number } = {}): ControllerBench {
  const created = new ControllerBench();
  const { objectStore } = created;
  created.add(createCustomResourceDefinitionController({ objectStore, lateCreatesMs: 1000, rememberMs: 0, ...times }));
  return created;
}

async function conditions(name = WIDGETS): Promise<Record<string, string | undefined>> {
  const definition = await bench.get<CustomResourceDefinition>(DEFINITIONS, '', name);
  const all = definition?.status?.conditions ?? [];
  return Object.fromEntries(all.map(({ type, status, reason }) => [type, `${status} ${reason}`]));
}

/** A definition of the same group, with these names. */
function rival(plural: string, names: object) {
  const definition = widgetDefinition({ names: { plural, kind: 'Gadget', ...names } });
  return { ...definition, metadata: { name: `${plural}.example.com` } };
}

describe('a new definition', () => {
  test('has its names accepted and is established', async () => {
    await bench.create(DEFINITIONS, widgetDefinition());
    await bench.settle();
    expect(await conditions()).toEqual({ NamesAccepted: 'True NoConflicts', Established: 'True InitialNamesAccepted' });
    const definition = await bench.get<CustomResourceDefinition>(DEFINITIONS, '', WIDGETS);
    expect(definition?.status?.acceptedNames).toEqual(definition?.spec.names);
  });

  test('is established only when every process knows it, where processes remember lists', async () => {
    bench = start({ rememberMs: 1000 });
    await bench.create(DEFINITIONS, widgetDefinition());
    await bench.settle();
    expect(await conditions()).toEqual({ NamesAccepted: 'True NoConflicts', Established: 'False Installing' });
    await bench.advance(1000);
    expect(await conditions()).toMatchObject({ Established: 'False Installing' });
    await bench.advance(1000);
    expect(await conditions()).toMatchObject({ Established: 'True InitialNamesAccepted' });
  });

  test.each([
    ['a short name', { shortNames: ['wd'] }, 'ShortNamesConflict'],
    ['the singular', { singular: 'widget' }, 'SingularConflict'],
    ['the kind', { kind: 'Widget', listKind: 'GadgetList' }, 'KindConflict'],
    ['the list kind', { listKind: 'WidgetList' }, 'ListKindConflict'],
  ])('waits while another holds %s', async (_, names, reason) => {
    await bench.create(DEFINITIONS, widgetDefinition());
    await bench.settle();
    await bench.create(DEFINITIONS, rival('gadgets', names));
    await bench.settle();
    const waiting = { NamesAccepted: `False ${reason}`, Established: 'False NotAccepted' };
    expect(await conditions('gadgets.example.com')).toEqual(waiting);
    await bench.registry.delete({ resource: DEFINITIONS, namespace: '', name: WIDGETS });
    await bench.settle();
    await bench.advance(2000);
    expect(await conditions('gadgets.example.com')).toMatchObject({ Established: 'True InitialNamesAccepted' });
  });
});

describe('a definition that is deleted', () => {
  beforeEach(async () => {
    await bench.create(DEFINITIONS, widgetDefinition());
    await bench.settle();
  });

  test('goes with all its objects, once no create can follow any more', async () => {
    await bench.create(WIDGETS, widget('a'));
    await bench.registry.delete({ resource: DEFINITIONS, namespace: '', name: WIDGETS });
    await bench.settle();
    expect(await bench.names(WIDGETS)).toEqual([]);
    expect(await bench.names(DEFINITIONS)).toEqual([WIDGETS]);
    await bench.advance(2000);
    expect(await bench.names(DEFINITIONS)).toEqual([]);
  });

  test('waits for an object that a finalizer holds, and lets none be created', async () => {
    await bench.create(WIDGETS, widget('a', {}, { finalizers: ['example.com/hold'] }));
    await bench.registry.delete({ resource: DEFINITIONS, namespace: '', name: WIDGETS });
    await bench.settle();
    await bench.advance(60_000);
    const definition = await bench.get<CustomResourceDefinition>(DEFINITIONS, '', WIDGETS);
    expect(definition?.metadata.finalizers).toEqual([CLEANUP_FINALIZER]);
    expect(await conditions()).toMatchObject({ Terminating: 'True InstanceDeletionInProgress' });
    await expect(bench.create(WIDGETS, widget('b'))).rejects.toThrow(
      'widgets.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
    );
  });
});
