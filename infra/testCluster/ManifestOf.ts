import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Served } from './ObjectOf.ts';
import type { ServedKinds } from './ServedKinds.ts';

/** The metadata of a manifest. */
export type ManifestMeta = ObjectMeta & { readonly name: string };

type Body<T> = { readonly [Field in Exclude<keyof T, 'apiVersion' | 'kind' | 'metadata'>]?: T[Field] | undefined } & {
  readonly metadata: ManifestMeta;
};

interface CustomBody {
  readonly metadata: ManifestMeta;
  readonly [field: string]: unknown;
}

/** The type of a kind, or `Otherwise` for one whose type is not known. */
type TypeOf<Version extends string, Kind extends string, Otherwise> = Version extends keyof ServedKinds
  ? Kind extends keyof ServedKinds[Version]
    ? ServedKinds[Version][Kind]
    : Otherwise
  : Otherwise;

/** The manifest of one object. The fields of a known kind are checked; of others, only the metadata. */
export type ManifestOf<Version extends string, Kind extends string> = {
  readonly apiVersion: Version;
  readonly kind: Kind;
} & (TypeOf<Version, Kind, never> extends never ? CustomBody : Body<TypeOf<Version, Kind, never>>);

/** The object that a manifest becomes. */
export type AppliedOf<Version extends string, Kind extends string> =
  TypeOf<Version, Kind, never> extends never ? KubernetesObject : Served<TypeOf<Version, Kind, never>>;

type KnownManifest = {
  [Version in keyof ServedKinds]: {
    [Kind in keyof ServedKinds[Version] & string]: ManifestOf<Version, Kind>;
  }[keyof ServedKinds[Version] & string];
}[keyof ServedKinds];

/** The manifest of any object. The group of a custom resource has a dot. */
export type AnyManifest =
  | KnownManifest
  | ({ readonly apiVersion: `${string}.${string}/${string}`; readonly kind: string } & CustomBody);

/** A manifest whose kind the compiler does not know, such as an object of the JavaScript client. A literal must say what it is. */
export interface UntypedManifest {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: object | undefined;
}

/** Instructions of a strategic merge patch, beside the fields that they are about. */
type PatchDirectives<Field extends string> = string extends Field
  ? unknown
  : {
      readonly [Directive in `$setElementOrder/${Field}` | `$deleteFromPrimitiveList/${Field}`]?: readonly unknown[];
    } & { readonly $patch?: 'delete' | 'merge' | 'replace'; readonly $retainKeys?: readonly string[] };

/** A patch that is merged into an object: any part of its fields, where null deletes a field. */
export type MergePatch<T> = T extends readonly (infer Element)[]
  ? readonly MergePatch<Element>[]
  : T extends object
    ? { readonly [Field in keyof T]?: MergePatch<T[Field]> | null | undefined } & PatchDirectives<keyof T & string>
    : T;

/** One operation of a JSON patch (RFC 6902). A path is written `/spec/replicas`. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };
