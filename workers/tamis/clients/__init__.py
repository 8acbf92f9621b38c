"""What stands at both ends of the service: `publish` for gateways, `consume` for dispatchers. aiokafka alone, no Faust.

What is decided is in pure modules: `memory` (which records were there already), `envelope` (how a response becomes records). `consumer`
and `gateway` are the loops around them, `connection` says how to reach a broker.
"""

from tamis.clients.connection import BrokerError
from tamis.clients.consumer import Consumer, consume
from tamis.clients.gateway import Gateway, publish
from tamis.clients.received import Received
from tamis.clients.reply import Reply

__all__ = ["BrokerError", "Consumer", "Gateway", "Received", "Reply", "consume", "publish"]
