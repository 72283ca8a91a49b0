import { describe, expect, it } from 'vitest';
import { type FieldError, fieldErrorMessage, fieldErrorsMessage } from '../../lambdas/objects/FieldError.ts';
import { goQuote } from '../../lambdas/objects/go/goQuote.ts';

describe('the messages of field errors', () => {
  it.each<[FieldError, string]>([
    [{ type: 'FieldValueRequired', field: 'a', detail: '' }, 'a: Required value'],
    [{ type: 'FieldValueRequired', field: 'a', badValue: '', detail: 'say it' }, 'a: Required value: say it'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: -1, detail: 'no' }, 'a: Invalid value: -1: no'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: 'x"y', detail: 'no' }, 'a: Invalid value: "x\\"y": no'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: true, detail: 'no' }, 'a: Invalid value: true: no'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: undefined, detail: 'no' }, 'a: Invalid value: "null": no'],
    [{ type: 'FieldValueInvalid', field: 'a', badValue: { b: 1 }, detail: 'no' }, 'a: Invalid value: {"b":1}: no'],
    [
      { type: 'FieldValueNotSupported', field: 'a', badValue: 'x', detail: 'supported values: "b", "c"' },
      'a: Unsupported value: "x": supported values: "b", "c"',
    ],
    [{ type: 'FieldValueDuplicate', field: 'a', badValue: 'x', detail: '' }, 'a: Duplicate value: "x"'],
    [{ type: 'FieldValueNotFound', field: 'a', badValue: 'x', detail: '' }, 'a: Not found: "x"'],
    [{ type: 'FieldValueForbidden', field: 'a', badValue: 'x', detail: 'no' }, 'a: Forbidden: no'],
    [
      { type: 'FieldValueTooLong', field: 'a', badValue: 'x', detail: 'may not be more than 3 bytes' },
      'a: Too long: may not be more than 3 bytes',
    ],
    [
      { type: 'FieldValueTooMany', field: 'a', badValue: 5, detail: 'must have at most 3 items' },
      'a: Too many: 5: must have at most 3 items',
    ],
  ])('%j has the message of apimachinery', (error, message) => {
    expect(fieldErrorMessage(error)).toBe(message);
  });

  it('several errors stand in brackets, without repetition', () => {
    const error: FieldError = { type: 'FieldValueRequired', field: 'a', detail: '' };
    expect(fieldErrorsMessage([error, error])).toBe('a: Required value');
    expect(fieldErrorsMessage([error, { ...error, field: 'b' }, error])).toBe('[a: Required value, b: Required value]');
  });

  it.each([
    ['plain', '"plain"'],
    ['tab\tnew\nline', '"tab\\tnew\\nline"'],
    ['back\\slash', '"back\\\\slash"'],
    ['\x00\x1b\x7f', '"\\x00\\x1b\\x7f"'],
    ['ä€😀', '"ä€😀"'],
    ['\u200b\u00a0', '"\\u200b\\u00a0"'],
  ])('%j is quoted as in Go', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });
});
