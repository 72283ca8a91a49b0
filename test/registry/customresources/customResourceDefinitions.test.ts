import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import {
  type CustomResourceDefinition,
  DEFINITIONS,
} from '../../../lambdas/registry/customresources/CustomResourceDefinition.ts';
import { DefinedResources } from '../../../lambdas/registry/customresources/DefinedResources.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { widgetDefinition, widgetVersion } from '../../support/widgetDefinition.ts';

const WIDGETS = 'widgets.example.com';
let registry: Registry;
let defined: DefinedResources;
let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const { objectStore } = openEmbeddedStore({ journal: new MemoryJournal(), clock });
  defined = new DefinedResources({ objectStore, clock, rememberMs: 1000 });
  const catalog = createResourceCatalog(resourceEntries, defined);
  registry = createRegistry({ objectStore, clock, ids: new SeededIds(1), catalog });
});

async function errorsOf(spec: Readonly<Record<string, unknown>>, name: string): Promise<string[]> {
  const definition = widgetDefinition(spec);
  const outcome = await registry.create(DEFINITIONS, { ...definition, metadata: { name } }, { dryRun: true });
  if (outcome.status === 'stored') return [];
  return (outcome.error.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

function version(more: object) {
  return { versions: [widgetVersion('v1', more)] };
}

function scale(specReplicasPath: string) {
  return version({ subresources: { scale: { specReplicasPath, statusReplicasPath: '.status.replicas' } } });
}

describe('a definition is refused', () => {
  test.each([
    ['without a stored version', version({ storage: false }), 'spec.versions: Invalid value'],
    ['of an unknown scope', { scope: 'Global' }, 'spec.scope: Unsupported value: "Global"'],
    ['of a group without a dot', { group: 'example' }, 'spec.group: Invalid value: "example": should be a domain'],
    [
      'of a group with built-in kinds',
      { group: 'networking.k8s.io' },
      'spec.group: Invalid value: "networking.k8s.io"',
    ],
    ['of a protected group', { group: 'x.k8s.io' }, 'metadata.annotations[api-approved.kubernetes.io]: Required value'],
    [
      'of a version without a schema',
      version({ schema: {} }),
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [
      'with a column of no type',
      version({ additionalPrinterColumns: [{ name: 'A', jsonPath: '.a' }] }),
      'spec.additionalPrinterColumns[0].type: Required value',
    ],
    ['with a scale elsewhere', scale('.status.replicas'), 'spec.subresources.scale.specReplicasPath: Invalid value'],
    [
      'with a selectable field that is not there',
      version({ selectableFields: [{ jsonPath: '.spec.nothing' }] }),
      'spec.selectableFields[0].jsonPath: Invalid value',
    ],
    ['with a conversion that names no way', { conversion: {} }, 'spec.conversion.strategy: Required value'],
    ['with a webhook without a client', { conversion: { strategy: 'Webhook' } }, 'spec.conversion.webhookClientConfig'],
  ])('%s', async (_, spec, expected) => {
    const { group = 'example.com' } = spec as { readonly group?: string };
    const errors = await errorsOf(spec, `widgets.${group}`);
    expect(errors.filter((error) => error.startsWith(expected))).toHaveLength(1);
  });
});

describe('the definition', () => {
  test('gets its defaults and the status of a new one', async () => {
    expect(await registry.create(DEFINITIONS, widgetDefinition())).toMatchObject({
      object: {
        spec: { names: { singular: 'widget', listKind: 'WidgetList' }, conversion: { strategy: 'None' } },
        status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
      },
    });
  });

  test('remembers every version that was stored', async () => {
    await registry.create(DEFINITIONS, widgetDefinition());
    const stored = await registry.get<CustomResourceDefinition>({
      resource: DEFINITIONS,
      namespace: '',
      name: WIDGETS,
    });
    const versions = [widgetVersion('v1', { storage: false }), widgetVersion('v2')];
    const changed = { ...stored, spec: { ...stored?.spec, versions } } as CustomResourceDefinition;
    expect(await registry.update(DEFINITIONS, changed)).toMatchObject({
      object: { status: { storedVersions: ['v1', 'v2'] }, metadata: { generation: 2 } },
    });
  });
});

describe('the status of a definition', () => {
  test.each([[[]], [null], [['v0']]])('cannot forget what is stored: %j', async (storedVersions) => {
    await registry.create(DEFINITIONS, widgetDefinition());
    const key = { resource: DEFINITIONS, namespace: '', name: WIDGETS };
    const stored = await registry.get<CustomResourceDefinition>(key);
    const changed = { ...stored, status: { ...stored?.status, storedVersions } } as CustomResourceDefinition;
    const outcome = await registry.update(DEFINITIONS, changed, { subresource: 'status' });
    expect(outcome).toMatchObject({ status: 'refused', error: { reason: 'Invalid' } });
    expect(await registry.get(key)).toEqual(stored);
  });
});

describe('definitions that are looked up', () => {
  test('are found as soon as they are written', async () => {
    expect(await defined.find(WIDGETS)).toBeUndefined();
    expect(await defined.list()).toEqual([]);
    await registry.create(DEFINITIONS, widgetDefinition());
    expect(await defined.find(WIDGETS)).toMatchObject({ kind: 'Widget', isEstablished: false, namespaced: true });
    expect((await defined.list()).map(({ groupResource }) => groupResource)).toEqual([WIDGETS]);
  });

  test('are compiled once for each resourceVersion', async () => {
    await registry.create(DEFINITIONS, widgetDefinition());
    const first = await defined.find(WIDGETS);
    clock.advanceBy(5_000);
    expect(await defined.find(WIDGETS)).toBe(first);
  });
});
