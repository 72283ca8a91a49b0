import type { FieldSchema, Schema } from './schemaOf.ts';
import { unionMember } from './unionMember.ts';

type Struct = Readonly<Record<string, unknown>>;

/** Removes from a draft what the type does not have that a release has. Parts that lose something are copied before, since drafts share parts with other objects, frozen ones among them. */
export function dropLater(draft: object, inRelease: Schema): void {
  for (const [name, member] of Object.entries(draft)) {
    const field = inRelease.fields.get(name);
    if (field) Object.assign(draft, { [name]: memberIn(member, field) });
    else if (!TYPE_META.has(name)) Reflect.deleteProperty(draft, name);
  }
}

const TYPE_META: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

function memberIn(member: unknown, { of, shape }: FieldSchema): unknown {
  if (typeof of === 'string' || typeof member !== 'object' || member === null) return member;
  if (shape === 'list') return Array.isArray(member) ? listIn(member, of) : member;
  return shape === 'map' ? mapIn(member as Struct, (value) => structIn(value, of)) : structIn(member, of);
}

function structIn(value: unknown, schema: Schema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.union !== undefined) {
    const member = unionMember(schema, value);
    return member === undefined ? value : memberIn(value, member);
  }
  if (Array.isArray(value)) return value;
  const known = Object.entries(value).filter(([name]) => schema.fields.has(name));
  const struct = known.length === Object.keys(value).length ? value : Object.fromEntries(known);
  return mapIn(struct as Struct, (member, name) => memberIn(member, schema.fields.get(name) as FieldSchema));
}

function listIn(list: readonly unknown[], schema: Schema): readonly unknown[] {
  const items = list.map((item) => structIn(item, schema));
  return items.every((item, index) => item === list[index]) ? list : items;
}

function mapIn(struct: Struct, change: (value: unknown, name: string) => unknown): Struct {
  const members = Object.entries(struct).map(([name, value]) => [name, change(value, name)] as const);
  return members.every(([name, value]) => value === struct[name]) ? struct : Object.fromEntries(members);
}
