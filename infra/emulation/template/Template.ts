export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** A CloudFormation template, as far as it is read here. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
}

/** What a deployed resource answers `Ref` with, and its attributes by name. */
export interface Deployed {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Where the stack is said to be: the values of CloudFormation's pseudo parameters. */
export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Resolves what a template refers to, as CloudFormation does at a deployment, from what was deployed so far. */
export class TemplateResolver {
  readonly #template: Template;
  readonly #stackName: string;
  readonly #deployed = new Map<string, Deployed>();

  constructor(template: Template, stackName: string) {
    this.#template = template;
    this.#stackName = stackName;
  }

  deployed(logicalId: string, deployed: Deployed): void {
    this.#deployed.set(logicalId, deployed);
  }

  /** The logical ids and properties of all resources of a type; properties not resolved. */
  resources(type: string): [logicalId: string, properties: Readonly<Record<string, unknown>>][] {
    return Object.entries(this.#template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([logicalId, { Properties = {} }]) => [logicalId, Properties]);
  }

  /** The value with every intrinsic function in it carried out. Throws for one that is not known, or refers to what was not deployed. */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, parameter] = entries[0] ?? [];
    if (entries.length === 1 && name !== undefined && (name === 'Ref' || name.startsWith('Fn::'))) {
      return this.#intrinsic(name, parameter);
    }
    return Object.fromEntries(entries.map(([field, item]) => [field, this.resolve(item)]));
  }

  #intrinsic(name: string, parameter: unknown): unknown {
    switch (name) {
      case 'Ref':
        return this.#ref(String(parameter));
      case 'Fn::GetAtt': {
        const [logicalId = '', attribute = ''] = parameter as string[];
        return this.#attribute(logicalId, attribute);
      }
      case 'Fn::Join': {
        const [separator, parts] = parameter as [string, unknown];
        return (this.resolve(parts) as unknown[]).join(separator);
      }
      case 'Fn::Select': {
        const [at, items] = this.resolve(parameter) as [number, unknown[]];
        return items[at];
      }
      case 'Fn::Split': {
        const [separator, text] = this.resolve(parameter) as [string, string];
        return text.split(separator);
      }
      case 'Fn::Sub':
        return this.#substitute(parameter);
      default:
        throw new Error(`the emulation does not know ${name}`);
    }
  }

  #substitute(parameter: unknown): string {
    const [text, variables = {}] = (Array.isArray(parameter) ? parameter : [parameter]) as [
      string,
      Readonly<Record<string, unknown>>?,
    ];
    return text.replace(/\$\{([^!}]+)\}/g, (_, name: string) => {
      if (name in variables) return String(this.resolve(variables[name]));
      const [logicalId = '', attribute] = name.split('.');
      return attribute === undefined ? this.#ref(logicalId) : this.#attribute(logicalId, attribute);
    });
  }

  #ref(name: string): string {
    if (name === 'AWS::StackName') return this.#stackName;
    if (name === 'AWS::StackId') return `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${this.#stackName}/emulated`;
    const value =
      PSEUDO_PARAMETERS[name] ?? this.#deployed.get(name)?.ref ?? this.#template.Parameters?.[name]?.Default;
    return value ?? notDeployed(name);
  }

  #attribute(logicalId: string, attribute: string): string {
    return this.#deployed.get(logicalId)?.attributes?.[attribute] ?? notDeployed(`${logicalId}.${attribute}`);
  }
}

function notDeployed(what: string): never {
  throw new Error(`the emulation deploys nothing that has ${what}`);
}
