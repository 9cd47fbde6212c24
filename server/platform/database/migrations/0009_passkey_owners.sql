ALTER TABLE "passkeys" ADD COLUMN "first_key" text;--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "owner_id" text;--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "name" text;--> statement-breakpoint
CREATE INDEX "passkeys_owner_id" ON "passkeys" USING btree ("owner_id");