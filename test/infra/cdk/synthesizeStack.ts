import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { readCdkContext } from '../../../infra/emulation/template/readCdkContext.ts';
import { addDriftlessStack } from '../../../infra/cdk/addDriftlessStack.ts';
import { createTestApp } from './createTestApp.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export const CONTEXT = readCdkContext();

/** Returns the template of the stack with these knobs, as `cdk synth` makes it, but without bundling the functions. */
export function synthesizeStack(knobs: Readonly<Record<string, unknown>> = {}): Template {
  return synthesizeApp(knobs).template;
}

/** Returns the same template, and the app with the stack's constructs. */
export function synthesizeApp(knobs: Readonly<Record<string, unknown>>): { app: App; template: Template } {
  const app = createTestApp({ ...CONTEXT, driftless: knobs });
  return { app, template: Template.fromStack(addDriftlessStack(app)) };
}

/** Returns all resources of a type by logical id. */
export function resourcesOf(template: Template, type: string): Readonly<Record<string, Resource>> {
  return template.findResources(type) as Record<string, Resource>;
}

/** Returns the resource with this logical id. Throws if the stack has no such resource. */
export function resource(template: Template, logicalId: string): Resource {
  const found = (template.toJSON()['Resources'] as Record<string, Resource>)[logicalId];
  if (!found) throw new Error(`the template has no ${logicalId}`);
  return found;
}

/** Resolves references as CloudFormation would in `eu-central-1`, but leaves resources symbolic: `<ObjectsTable.Arn>`. */
export function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = []] = Object.entries(value as Readonly<Record<string, unknown>>);
  if (name === 'Ref') return PSEUDO_PARAMETERS[String(argument)] ?? `<${String(argument)}>`;
  if (name === 'Fn::GetAtt') return `<${(argument as readonly string[]).join('.')}>`;
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map(resolve).join(separator);
  }
  if (name === 'Fn::Split') return resolve((argument as readonly unknown[])[1]);
  if (name === 'Fn::Select') {
    const [index, from] = argument as readonly unknown[];
    return `<part ${String(index)} of ${String(resolve(from))}>`;
  }
  if (name === 'Fn::Sub' && typeof argument === 'string') {
    return argument.replaceAll(/\$\{([^}]+)\}/g, (_, reference: string) => String(resolve({ Ref: reference })));
  }
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, resolve(field)]));
}

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::Region': 'eu-central-1',
  'AWS::AccountId': '111122223333',
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};
