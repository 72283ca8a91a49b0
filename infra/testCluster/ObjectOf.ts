import type { KubernetesObject, ObjectMeta } from '../../lambdas/objects/KubernetesObject.ts';
import type { ServedKinds, ShortNames } from './ServedKinds.ts';

/** An object as the API answers it: what each has is not optional, and a spec is there if its kind has one. Times are texts, as in JSON. */
export type Served<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'spec'> & {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
} & (T extends { spec?: infer Spec } ? { spec: NonNullable<Spec> } : unknown);

/** `ingress` → `ingresses`, `networkpolicy` → `networkpolicies`, `pod` → `pods`. */
type PluralOf<Singular extends string> = Singular extends 'endpoints'
  ? Singular
  : Singular extends `${infer Stem}y`
    ? `${Stem}ies`
    : Singular extends `${string}s`
      ? `${Singular}es`
      : `${Singular}s`;

type GroupOf<Version> = Version extends `${infer Group}/${string}` ? Group : never;

type NamesOf<Kind extends string> =
  | Lowercase<Kind>
  | PluralOf<Lowercase<Kind>>
  | (Kind extends keyof ShortNames ? ShortNames[Kind] : never);

/** Every name of every kind, in lower case, alone and with its group: `deploy`, `deployments.apps`. */
type Names = {
  [Version in keyof ServedKinds]: {
    [Kind in keyof ServedKinds[Version] & string]: {
      readonly names: NamesOf<Kind> | `${NamesOf<Kind>}.${GroupOf<Version>}`;
      readonly object: Served<ServedKinds[Version][Kind]>;
    };
  }[keyof ServedKinds[Version] & string];
}[keyof ServedKinds];

type KindsByName = { [Row in Names as Row['names']]: Row['object'] };

type KindNamed<Name extends string> = Name extends keyof KindsByName ? KindsByName[Name] : KubernetesObject;

/** The object type for a resource's name, or for a key that begins with it: `deployment/default/web` is a Deployment, and so are `deploy`, `Deployment` and `deployments.apps`. */
export type ObjectOf<Key extends string> = Key extends `${infer Name}/${string}`
  ? KindNamed<Lowercase<Name>>
  : KindNamed<Lowercase<Key>>;
