"""The first minutes with the client that openapi-python-client generates."""

import json
import sys

from overture_client import AuthenticatedClient
from overture_client.api.campaigns import list_campaigns
from overture_client.api.datasets import create_dataset
from overture_client.api.leads import create_lead
from overture_client.api.templates import create_template, get_template
from overture_client.models import CodedError, DatasetCreate, Template, TemplateCreate
from overture_client.models import LeadCreateByEmail

base_url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key)

template = create_template.sync(
    client=client, body=TemplateCreate(name="Hello", body="Hello {{ first_name }}")
)
assert isinstance(template, Template), template

dataset = create_dataset.sync(client=client, body=DatasetCreate(name="Observatories"))
# Not the import: of a body in two media types the generator makes a module that does not load.
lead = create_lead.sync(
    client=client,
    dataset_id=dataset.id,
    body=LeadCreateByEmail(email="ada@example.com", company="Analytical Engines"),
)
listed = list_campaigns.sync_detailed(client=client, limit=1)
refused = get_template.sync(client=client, template_id=dataset.id)
assert isinstance(refused, CodedError), refused

print(
    json.dumps(
        {
            "name": template.name,
            "channel": template.channel.value,
            "email": lead.email,
            "total": listed.headers["x-total-count"],
            "refused": refused.to_dict(),
        }
    )
)
