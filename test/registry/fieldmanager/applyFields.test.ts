import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { copyJson } from '../../../lambdas/objects/json.ts';
import { encodeManagedFields } from '../../../lambdas/registry/fieldmanager/ManagedFields.ts';
import type { JsonMap, MergeSchema } from '../../../lambdas/registry/fieldmanager/MergeSchema.ts';
import { allFields } from '../../../lambdas/registry/fieldmanager/fieldFilter.ts';
import { trackApply } from '../../../lambdas/registry/fieldmanager/trackApply.ts';
import { ownersBefore, trackUpdate } from '../../../lambdas/registry/fieldmanager/trackUpdate.ts';
import type { ObjectMeta } from '../../../lambdas/objects/KubernetesObject.ts';

const TEXT: MergeSchema = { scalar: 'string' };
const atomicList: MergeSchema = { list: { type: 'atomic', keys: [], items: TEXT } };

function struct(fields: Readonly<Record<string, MergeSchema>>, alwaysPresent: readonly string[] = []): MergeSchema {
  const field = (name: string) => {
    const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return schema && { schema };
  };
  return { map: { atomic: false, field, alwaysPresent } };
}

const mapOf = (values: MergeSchema): MergeSchema => ({
  map: { atomic: false, field: () => undefined, alwaysPresent: [], values },
});

/** A kind with every shape: scalars, maps, sets, lists with keys, and lists that are replaced as a whole. */
const SCHEMA = struct(
  {
    apiVersion: TEXT,
    kind: TEXT,
    metadata: struct({ name: TEXT, labels: mapOf(TEXT) }),
    spec: struct({
      scalar: TEXT,
      map: mapOf(TEXT),
      set: { list: { type: 'set', keys: [], items: TEXT } },
      items: { list: { type: 'map', keys: ['name'], items: struct({ name: TEXT, value: TEXT, args: atomicList }) } },
      command: atomicList,
    }),
  },
  ['metadata', 'spec'],
);

/** One object, to which managers apply. */
class AppliedObject {
  live: (JsonMap & { metadata: Partial<ObjectMeta> }) | undefined;

  apply(manager: string, spec: object, force = false): string {
    const config = JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'Kind', metadata: { name: 'a' }, spec }));
    const stored = this.live?.metadata.managedFields ?? [];
    const applied = trackApply(this.#writer(manager), { live: this.live, stored, config, force });
    if (applied.refused !== undefined) return applied.refused.message;
    this.#store(applied.object, encodeManagedFields(applied.managed));
    return 'applied';
  }

  /** Replaces the whole spec, as a client does that does not apply. */
  replace(manager: string, spec: object): void {
    const draft = { ...(this.live ?? { apiVersion: 'v1', kind: 'Kind', metadata: { name: 'a' } }), spec };
    const managed = ownersBefore(undefined, this.live?.metadata.managedFields ?? [], '');
    const tracked = trackUpdate(this.#writer(manager), { live: this.live, draft, managed });
    this.#store(draft, encodeManagedFields(tracked));
  }

  get spec(): unknown {
    return this.live?.['spec'];
  }

  /** A decoder drops nulls: what the merge leaves of an emptied map or list. */
  #store(object: JsonMap, managedFields: ReturnType<typeof encodeManagedFields>): void {
    const metadata = { ...(object['metadata'] as object), managedFields };
    this.live = copyJson({ ...object, metadata }) as JsonMap & { metadata: Partial<ObjectMeta> };
  }

  #writer(manager: string) {
    return {
      manager,
      apiVersion: 'v1',
      storageApiVersion: 'v1',
      kind: 'Kind',
      subresource: '',
      versions: { schema: () => SCHEMA, convert: (object: JsonMap) => object },
      filter: allFields,
      time: '2026-01-01T00:00:00Z',
    };
  }
}

const texts = fc.constantFrom('1', '2', '3');

/** Specs whose keys, items and members of sets begin with the prefix, so that those of different prefixes have nothing in common. */
function specs(prefix: string, values = texts) {
  const names = fc.constantFrom('x', 'y', 'z').map((name) => `${prefix}${name}`);
  const item = fc.record(
    { name: names, value: values, args: fc.array(values, { minLength: 1 }) },
    { requiredKeys: ['name'] },
  );
  return fc.record(
    {
      map: fc.dictionary(names, values, { minKeys: 1 }),
      set: fc.uniqueArray(names, { minLength: 1 }),
      items: fc.uniqueArray(item, { selector: ({ name }) => name, minLength: 1 }),
    },
    { requiredKeys: [] },
  );
}

/** Specs of managers that get in each other's way. */
const anySpecs = fc
  .tuple(specs(''), fc.record({ scalar: texts, command: fc.array(texts, { minLength: 1 }) }, { requiredKeys: [] }))
  .map(([a, b]) => ({ ...a, ...b }));

interface Spec {
  readonly map?: Record<string, string>;
  readonly set?: string[];
  readonly items?: { readonly name: string }[];
}

const sorted = ({ map = {}, set = [], items = [] }: Spec) => ({
  map,
  set: [...set].sort(),
  items: [...items].sort((a, b) => (a.name < b.name ? -1 : 1)),
});

describe('applying', () => {
  test('twice is the same as once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('m', 'n'), anySpecs)), anySpecs, (before, spec) => {
        const object = new AppliedObject();
        for (const [manager, other] of before) object.apply(manager, other, true);
        object.apply('m', spec, true);
        const once = object.live;
        expect(object.apply('m', spec)).toBe('applied');
        expect(object.live).toEqual(once);
      }),
    );
  });

  test('managers with nothing in common never conflict and lose nothing: each has what it applied last, and what one removes goes', () => {
    const steps = fc.array(
      fc.oneof(...['m', 'n', 'o'].map((manager) => specs(manager).map((spec): [string, Spec] => [manager, spec]))),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(steps, (applies) => {
        const object = new AppliedObject();
        const last = new Map<string, Spec>();
        for (const [manager, spec] of applies) {
          expect(object.apply(manager, spec)).toBe('applied');
          last.set(manager, spec);
        }
        const all = [...last.values()];
        const expected = {
          map: Object.assign({}, ...all.map(({ map }) => map)),
          set: all.flatMap(({ set = [] }) => set),
          items: all.flatMap(({ items = [] }) => items),
        };
        expect(sorted((object.spec ?? {}) as Spec)).toEqual(sorted(expected));
      }),
    );
  });

  test('each member of a map is owned by those who applied its value last, goes with its last owner, and conflicts as long as it has another', () => {
    const steps = fc.array(
      fc.record({
        manager: fc.constantFrom('m', 'n', 'o'),
        map: fc.dictionary(fc.constantFrom('x', 'y', 'z'), texts),
        force: fc.boolean(),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(steps, (applies) => {
        const object = new AppliedObject();
        const model = new Map<string, { value: string; owners: Set<string> }>();
        for (const { manager, map, force } of applies) {
          const contested = Object.entries(map).some(([key, value]) => {
            const known = model.get(key);
            return known !== undefined && known.value !== value && [...known.owners].some((owner) => owner !== manager);
          });
          const outcome = object.apply(manager, Object.keys(map).length > 0 ? { map } : {}, force);
          expect(outcome === 'applied').toBe(force || !contested);
          if (outcome === 'applied') applyToModel(model, manager, map);
          const expected = Object.fromEntries([...model].map(([key, { value }]) => [key, value]));
          expect(((object.spec ?? {}) as Spec).map ?? {}).toEqual(expected);
        }
      }),
    );
  });

  test('after updates, only what was not changed still conflicts with its applier', () => {
    fc.assert(
      fc.property(anySpecs, anySpecs, (applied, replaced) => {
        const object = new AppliedObject();
        object.apply('m', applied);
        object.replace('n', replaced);
        expect(object.spec).toEqual(replaced);
        // What m owns still is as it applied it, so applying the object as it is changes nothing.
        expect(object.apply('m', replaced)).toBe('applied');
        expect(sorted(object.spec as Spec)).toEqual(sorted(replaced as Spec));
      }),
    );
  });
});

function applyToModel(
  model: Map<string, { value: string; owners: Set<string> }>,
  manager: string,
  map: Readonly<Record<string, string>>,
): void {
  for (const [key, { owners }] of model) {
    if (Object.hasOwn(map, key)) continue;
    if (owners.delete(manager) && owners.size === 0) model.delete(key);
  }
  for (const [key, value] of Object.entries(map)) {
    const owners = model.get(key)?.value === value ? (model.get(key)?.owners ?? new Set()) : new Set<string>();
    model.set(key, { value, owners: owners.add(manager) });
  }
}
