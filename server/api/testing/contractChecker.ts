import { Ajv2020 } from 'ajv/dist/2020.js';

type Operation = { responses: Record<string, { content?: Record<string, unknown> }> };
type Document = { paths: Record<string, Record<string, Operation>> };

const pointerToken = (token: string) => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** Whether a path is one of a template such as `/v1/order/{id}`; fixed segments weigh more. */
function weightOf(template: string, path: string): number | undefined {
  const expected = template.split('/');
  const actual = path.split('/');
  if (expected.length !== actual.length) return undefined;
  let fixed = 0;
  for (const [index, segment] of expected.entries()) {
    if (segment.startsWith('{')) continue;
    if (segment !== actual[index]) return undefined;
    fixed += 1;
  }
  return fixed;
}

/** Compares responses with the service's own OpenAPI document. */
export function createContractChecker(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, 'api');
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();

  /** Compiled once: making a validator costs a hundred times what using it does. */
  function validatorOf(ref: string): ReturnType<typeof ajv.compile> {
    const validate = validators.get(ref) ?? ajv.compile({ $ref: ref });
    validators.set(ref, validate);
    return validate;
  }

  function templateOf(path: string): string | undefined {
    return Object.keys(document.paths)
      .filter((template) => weightOf(template, path) !== undefined)
      .sort((a, b) => (weightOf(b, path) ?? 0) - (weightOf(a, path) ?? 0))[0];
  }

  return {
    /** What is wrong with a response; empty when it is as described. */
    problemsOf(call: {
      method: string;
      path: string;
      status: number;
      type: string;
      body: unknown;
    }) {
      if (call.status >= 400) {
        const validate = validatorOf('api#/components/schemas/Problem');
        if (call.type !== 'application/problem+json') return [`an error came as ${call.type}`];
        return validate(call.body) ? [] : (validate.errors ?? []).map((one) => JSON.stringify(one));
      }
      const template = templateOf(call.path);
      const operation = document.paths[template ?? '']?.[call.method.toLowerCase()];
      if (template === undefined || !operation) return [`${call.path} is not described`];
      const content = operation.responses[String(call.status)]?.content ?? {};
      const [media = ''] = call.type.split(';');
      if (!(media in content)) return [`${call.status} ${media} is not described`];
      if (media !== 'application/json') return [];
      const pointer = ['paths', template, call.method.toLowerCase(), 'responses'];
      const rest = [String(call.status), 'content', media, 'schema'];
      const ref = `api#/${[...pointer, ...rest].map(pointerToken).map(encodeURIComponent).join('/')}`;
      const validate = validatorOf(ref);
      return validate(call.body) ? [] : (validate.errors ?? []).map((one) => JSON.stringify(one));
    },
  };
}
