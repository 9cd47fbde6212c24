import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../errorCodes.ts';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

export const errorCodeSchema = z.enum(codes).meta({
  id: 'ErrorCode',
  description: 'Stable error code; each has a page in the documentation.',
  example: 'invalid_request',
});

export const fieldProblemSchema = z
  .object({
    pointer: z.string().meta({
      description:
        'RFC 6901 pointer into the body; parameters start with /query, /path or /headers.',
      example: '/order/baseQuantity',
    }),
    detail: z.string().meta({ example: 'must be a plain decimal string such as "12.5"' }),
  })
  .meta({ id: 'FieldProblem' });

/** RFC 9457: the format of every error response. */
export const problemSchema = z
  .object({
    type: z.url().meta({
      description: 'URL of the page that explains this code.',
      example: 'http://localhost:3000/docs/errors/invalid_request',
    }),
    title: z.string().meta({ example: 'Invalid request' }),
    status: z.int().meta({ example: 400 }),
    detail: z.string().meta({ example: 'One field must be changed.' }),
    code: errorCodeSchema,
    errors: z.array(fieldProblemSchema),
    requestId: z.string().meta({ example: 'req_8f1c1a52d1e94d0c' }),
  })
  .meta({ id: 'Problem', description: 'An error as in RFC 9457 (application/problem+json).' });

export type Problem = z.infer<typeof problemSchema>;
