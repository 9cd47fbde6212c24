CREATE TABLE "limit_guards" (
	"scope" text NOT NULL,
	"subject" text NOT NULL,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "limit_guards_scope_subject_pk" PRIMARY KEY("scope","subject")
);
--> statement-breakpoint
CREATE TABLE "trading_limits" (
	"scope" text NOT NULL,
	"subject" text NOT NULL,
	"max_order_usdc_micros" bigint,
	"max_day_usdc_micros" bigint,
	"max_exposure_usdc_micros" bigint,
	"max_open_orders" integer,
	"set_by" text NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trading_limits_scope_subject_pk" PRIMARY KEY("scope","subject")
);
--> statement-breakpoint
CREATE TABLE "terms_acceptances" (
	"owner_address" text NOT NULL,
	"version" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "terms_acceptances_owner_address_version_pk" PRIMARY KEY("owner_address","version")
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "operators_name" UNIQUE("name"),
	CONSTRAINT "operators_hash" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "traceparent" text;--> statement-breakpoint
CREATE INDEX "orders_by_market" ON "orders" USING btree ("ticker");