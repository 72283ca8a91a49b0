interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The parts of a CloudFormation template that the emulation reads. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
}

/** A deployed resource: the value of `Ref`, and its attributes by name. */
export interface DeployedResource {
  readonly ref: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The stack's region and account, the values of CloudFormation's pseudo parameters. */
export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Resolves a template's references to the resources that have been deployed so far, as CloudFormation does. */
export class TemplateResolver {
  readonly #template: Template;
  readonly #stackName: string;
  readonly #deployed: Map<string, DeployedResource>;

  constructor(template: Template, stackName: string, deployed: ReadonlyMap<string, DeployedResource> = new Map()) {
    this.#template = template;
    this.#stackName = stackName;
    this.#deployed = new Map(deployed);
  }

  /** Returns a resolver for another template of the same stack: what has been deployed is there already. */
  withTemplate(template: Template): TemplateResolver {
    return new TemplateResolver(template, this.#stackName, this.#deployed);
  }

  /** Registers a deployed resource, so that others can refer to it. */
  setDeployed(logicalId: string, deployed: DeployedResource): void {
    this.#deployed.set(logicalId, deployed);
  }

  /** Returns the logical ids and the unresolved properties of all resources of a type. */
  resources(type: string): [logicalId: string, properties: Readonly<Record<string, unknown>>][] {
    return Object.entries(this.#template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([logicalId, { Properties = {} }]) => [logicalId, Properties]);
  }

  /** Evaluates all intrinsic functions in the value. Throws for an unknown function, or a reference to a resource that is not deployed. */
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
        throw new Error(`the emulation does not support ${name}`);
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
  throw new Error(`the emulation has deployed no ${what}`);
}
