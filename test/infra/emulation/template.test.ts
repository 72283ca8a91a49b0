import { describe, expect, it } from 'vitest';
import { TemplateResolver } from '../../../infra/emulation/template/Template.ts';

const template = new TemplateResolver({ Resources: {} }, 'stack');
template.setDeployed('Queue', { ref: 'url', attributes: { Arn: 'arn:queue' } });

describe('a template', () => {
  it.each([
    ['names a resource', { Ref: 'Queue' }, 'url'],
    ['names an attribute', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:queue'],
    ['joins', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, { Ref: 'Queue' }]] }, 'a-us-east-1-url'],
    ['splits and selects', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    ['substitutes', { 'Fn::Sub': 'x/${Queue.Arn}/${AWS::StackName}' }, 'x/arn:queue/stack'],
    ['substitutes what it names itself', { 'Fn::Sub': ['x/${Y}', { Y: { Ref: 'Queue' } }] }, 'x/url'],
    ['resolves inside', { A: [{ B: { Ref: 'AWS::AccountId' } }] }, { A: [{ B: '000000000000' }] }],
  ])('%s', (_, value, expected) => expect(template.resolve(value)).toEqual(expected));

  it.each([
    ['what is not deployed', { Ref: 'Bucket' }, 'Bucket'],
    ['a function that it does not know', { 'Fn::Cidr': [] }, 'Fn::Cidr'],
  ])('says so of %s', (_, value, message) => expect(() => template.resolve(value)).toThrow(message));
});
