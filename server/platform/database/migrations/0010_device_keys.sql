CREATE TABLE "session_key_events" (
	"transaction_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"account_address" text NOT NULL,
	"kind" text NOT NULL,
	"grant_nonce" bigint NOT NULL,
	"key_kind" integer,
	"key" text NOT NULL,
	CONSTRAINT "session_key_events_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "session_keys" (
	"account_id" text NOT NULL,
	"key" text NOT NULL,
	"name" text,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_keys_account_id_key_pk" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
ALTER TABLE "order_replacements" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "order_replacements" ADD COLUMN "prepared_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "order_replacements" ADD COLUMN "order_signature" text;--> statement-breakpoint
CREATE INDEX "session_key_events_by_grant" ON "session_key_events" USING btree ("account_address","grant_nonce");--> statement-breakpoint
CREATE INDEX "session_key_events_block" ON "session_key_events" USING btree ("block_number");